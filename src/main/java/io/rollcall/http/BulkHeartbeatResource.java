package io.rollcall.http;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Many heartbeats at once. */
@Path("/v1/heartbeats")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Agents")
class BulkHeartbeatResource {
    private final BulkBeats bulk;

    BulkHeartbeatResource(BulkBeats bulk) {
        this.bulk = bulk;
    }

    /** Up to 5,000 heartbeats. They are read one by one, so that a bad one spoils no other. */
    @Schema(
            example =
                    "{\"items\": [{\"id\": \"01890a5d-ac96-774b-bcce-b302099a8057\", \"epoch\": 3, \"progress\": 0.4}]}")
    record Bulk(
            @Schema(implementation = BulkItem[].class)
            @JsonDeserialize(contentUsing = BulkItemReader.class)
            @JsonSetter(contentNulls = Nulls.SET)
            @NotNull
            @Size(max = 5_000)
            List<BulkItemReader.Read> items) {}

    /** What became of each, in order. */
    record BulkAnswer(List<BulkBeats.Result> items) {}

    @POST
    @Blocking // reading thousands of items would hold up the event loop; nothing waits for the database here
    @Operation(summary = "Renew up to 5,000 leases; each is answered for itself")
    public Uni<BulkAnswer> beatAll(@NotNull @Valid Bulk request) {
        return bulk.beat(request.items()).map(BulkAnswer::new);
    }
}
