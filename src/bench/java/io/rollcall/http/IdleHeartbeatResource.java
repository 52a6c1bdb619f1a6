package io.rollcall.http;

import io.rollcall.delegation.DelegationStatus;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import jakarta.validation.Validator;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestPath;

/**
 * What a heartbeat costs without its work: the baseline of the benchmark. Takes and answers what {@link HeartbeatResource}
 * does, in the same shape, and touches nothing. Only in builds made with the profile {@code bench}.
 */
@Path("/bench/heartbeat/{id}")
@Consumes(MediaType.APPLICATION_JSON)
class IdleHeartbeatResource {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.123456Z");
    private static final Duration LEASE_TIME = Duration.ofMinutes(10);

    private final Validator validator;
    private final CanonicalJson json;

    IdleHeartbeatResource(Validator validator, CanonicalJson json) {
        this.validator = validator;
        this.json = json;
    }

    @POST
    @NonBlocking
    public Uni<HeartbeatAnswer> beat(@RestPath UUID id, HeartbeatRequest request) {
        request.check(validator);
        return Uni.createFrom()
                .item(request.toBeat(id, json))
                .map(beat -> new HeartbeatAnswer(
                        DelegationStatus.IN_PROGRESS,
                        beat.epoch() == null ? 1 : beat.epoch(),
                        NOW.plus(LEASE_TIME),
                        LEASE_TIME.dividedBy(3),
                        NOW,
                        HeartbeatAnswer.Directive.CONTINUE));
    }
}
