package io.rollcall.http;

import io.rollcall.claim.ClaimRequest;
import io.rollcall.claim.LongPoll;
import io.rollcall.lease.SelfDescription;
import io.rollcall.liveness.Probe;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** How agents get work. */
@Path("/v1/queues/{queue}/claim")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Agents")
class ClaimResource {
    private final LongPoll longPoll;
    private final CanonicalJson json;

    ClaimResource(LongPoll longPoll, CanonicalJson json) {
        this.longPoll = longPoll;
        this.json = json;
    }

    /**
     * An agent asks for work.
     *
     * @param agent who asks
     * @param max how many delegations at most, 1 unless stated
     * @param leaseTime how long a heartbeat lasts
     * @param waitS how many seconds to wait where there is no work, 0 unless stated
     * @param requestId the same again gets the same leases while they live
     * @param instance unique per start of the agent's process
     * @param probe how to find out whether the agent is alive
     */
    @Schema(example = "{\"agent\": \"builder-7\", \"max\": 2, \"waitS\": 20, \"requestId\": \"claim-0017\"}")
    record ClaimBody(
            @NotNull @Name String agent,
            @Nullable @Min(1) @Max(100) Integer max,
            @Nullable @Span Duration leaseTime,
            @Nullable @Min(0) @Max(30) Integer waitS,
            @Nullable @Name String requestId,
            @Nullable @Name String instance,
            @Nullable @Valid Probe probe) {}

    /** What the agent got, in the order in which it was handed out, and the database's clock. */
    record ClaimAnswer(List<DelegationView> items, Instant now) {}

    @POST
    @NonBlocking
    @Operation(summary = "Claim up to max delegations: highest priority first, then what has been claimable longest")
    public Uni<ClaimAnswer> claim(
            @RestPath @Name String queue, @NotNull @Valid ClaimBody body, @Context HttpServerRequest http) {
        ClaimRequest request = new ClaimRequest(
                queue,
                body.agent(),
                body.max() == null ? 1 : body.max(),
                body.leaseTime(),
                body.requestId(),
                new SelfDescription(body.instance(), json.ofNullable(body.probe())));
        Duration wait = Duration.ofSeconds(body.waitS() == null ? 0 : body.waitS());
        return longPoll.claim(request, wait, () -> http.response().closed())
                .map(claimed -> new ClaimAnswer(
                        claimed.items().stream().map(DelegationView::claimed).toList(), claimed.now()));
    }
}
