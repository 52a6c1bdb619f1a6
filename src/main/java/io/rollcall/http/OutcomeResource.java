package io.rollcall.http;

import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Outcomes;
import io.rollcall.error.LostRace;
import io.rollcall.lease.Lease;
import io.rollcall.lease.Renewal;
import io.smallrye.faulttolerance.api.RetryWhen;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.hibernate.validator.constraints.CodePointLength;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** The end of an agent's run, said before it finalizes. */
@Path("/v1/delegations/{id}/outcome")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Agents")
class OutcomeResource {
    private final Outcomes outcomes;
    private final CanonicalJson json;

    OutcomeResource(Outcomes outcomes, CanonicalJson json) {
        this.outcomes = outcomes;
        this.json = json;
    }

    /**
     * What a run ended with.
     *
     * @param epoch of the agent's lease; may be left out only where no other attempt can ever be (direct, recovery none)
     * @param exitCode 0 where it succeeded
     * @param note for people, up to 1,000 characters
     */
    @Schema(example = "{\"epoch\": 3, \"exitCode\": 0, \"note\": \"pushing the branch\"}")
    record OutcomeRequest(
            @Nullable @Min(1) Long epoch,
            @NotNull Integer exitCode,
            @Nullable @CodePointLength(max = 1_000) String note) {}

    /** The outcome that stands, and what it did to the lease: as a heartbeat. Without a lease where all is over. */
    @Schema(
            name = "OutcomeAnswer",
            example = "{\"status\": \"in_progress\", \"epoch\": 3, \"staleAt\": \"2026-01-02T03:14:05.123456Z\","
                    + " \"heartbeatEvery\": \"PT3M20S\", \"now\": \"2026-01-02T03:04:05.123456Z\","
                    + " \"directive\": \"continue\", \"outcome\": {\"exitCode\": 0,"
                    + " \"note\": \"pushing the branch\", \"at\": \"2026-01-02T03:04:05.123456Z\"}}")
    record OutcomeAnswer(
            DelegationStatus status,
            long epoch,
            @Nullable Instant staleAt,
            @Nullable Duration heartbeatEvery,
            Instant now,
            HeartbeatAnswer.@Nullable Directive directive,
            DelegationView.OutcomeView outcome) {

        static OutcomeAnswer of(Outcomes.Recorded recorded) {
            Renewal renewal = recorded.renewal();
            return new OutcomeAnswer(
                    recorded.delegation().status(),
                    recorded.delegation().epoch(),
                    renewal == null ? null : renewal.staleAt(),
                    renewal == null ? null : Lease.heartbeatEvery(renewal.leaseTime()),
                    recorded.now(),
                    renewal == null ? null : HeartbeatAnswer.Directive.of(renewal),
                    DelegationView.OutcomeView.of(recorded.outcome()));
        }
    }

    @POST
    @Operation(summary = "The run has ended, its finalization goes on; counts as a heartbeat")
    @Retry(maxRetries = 5, delay = 20, jitter = 20) // out here: each try needs a transaction of its own
    @RetryWhen(exception = LostRace.class)
    public OutcomeAnswer record(@RestPath UUID id, @NotNull @Valid OutcomeRequest request) {
        return OutcomeAnswer.of(outcomes.record(
                new Outcomes.RunEnd(id, request.epoch(), request.exitCode(), request.note(), json.of(request))));
    }
}
