package io.rollcall.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollcall.delegation.Delegations;
import io.rollcall.delegation.RecordedEvent;
import io.rollcall.delegation.Steps;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.LostRace;
import io.rollcall.error.RefusedException;
import io.smallrye.faulttolerance.api.RetryWhen;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** The history of one delegation, and the steps that its agent adds to it. */
@Path("/v1/delegations/{id}/events")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Delegations")
class EventsResource {
    private final Delegations delegations;
    private final Steps steps;
    private final CanonicalJson json;

    EventsResource(Delegations delegations, Steps steps, CanonicalJson json) {
        this.delegations = delegations;
        this.steps = steps;
        this.json = json;
    }

    /**
     * A step of an agent's run.
     *
     * @param epoch of its lease; may be left out only where no other attempt can ever be (direct, recovery none)
     * @param kind what kind of step, in the agent's own words
     * @param data what there is to say about it, up to 256 KiB
     */
    @Schema(example = "{\"epoch\": 3, \"kind\": \"compiled\", \"data\": {\"warnings\": 0}}")
    record StepRequest(
            @Nullable @Min(1) Long epoch,
            @NotNull @Name String kind,
            @Schema(description = "Any JSON") @Nullable JsonNode data) {}

    /** Where the step stands in the history, and what it did to the lease: as a heartbeat. */
    record StepAnswer(
            long seq, String kind, long epoch, Instant staleAt, Instant now, HeartbeatAnswer.Directive directive) {}

    @GET
    @Operation(summary = "The history of a delegation, oldest first")
    public Page<EventView> events(
            @RestPath UUID id,
            @RestQuery @Nullable @Min(1) @Max(Paging.MAX_LIMIT) Integer limit,
            @RestQuery @Nullable String cursor) {
        int wanted = Paging.limit(limit);
        List<RecordedEvent> found = delegations.history(id, afterEvent(cursor), wanted + 1);
        return Page.of(found, wanted, EventView::of, event -> String.valueOf(event.seq()));
    }

    @POST
    @Operation(summary = "A step of the agent's run: renews the lease, and only if that held is appended")
    @Retry(maxRetries = 5, delay = 20, jitter = 20)
    @RetryWhen(exception = LostRace.class)
    public RestResponse<StepAnswer> append(@RestPath UUID id, @NotNull @Valid StepRequest request) {
        Steps.Written written = steps.append(new Steps.Step(
                id, request.epoch(), request.kind(), json.document(request.data(), "data"), json.of(request)));
        return RestResponse.status(
                RestResponse.Status.CREATED,
                new StepAnswer(
                        written.seq(),
                        "step",
                        written.renewal().epoch(),
                        written.renewal().staleAt(),
                        written.renewal().now(),
                        HeartbeatAnswer.Directive.of(written.renewal())));
    }

    private static long afterEvent(@Nullable String cursor) {
        if (cursor == null) {
            return 0;
        }
        if (!cursor.matches("\\d{1,18}")) {
            throw new RefusedException(ErrorCode.INVALID_CURSOR, "The cursor does not belong to a history.");
        }
        return Long.parseLong(cursor);
    }
}
