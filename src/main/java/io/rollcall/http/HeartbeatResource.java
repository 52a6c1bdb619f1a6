package io.rollcall.http;

import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import jakarta.validation.Validator;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;

/** One heartbeat at a time. */
@Path("/v1/delegations/{id}/heartbeat")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Agents")
class HeartbeatResource {
    private final Beats beats;
    private final Validator validator;
    private final CanonicalJson json;

    HeartbeatResource(Beats beats, Validator validator, CanonicalJson json) {
        this.beats = beats;
        this.validator = validator;
        this.json = json;
    }

    @POST
    @NonBlocking
    @Operation(summary = "Renew a lease; the first beat turns dispatched into in progress")
    public Uni<HeartbeatAnswer> beat(@RestPath UUID id, HeartbeatRequest request) {
        request.check(validator);
        return beats.beat(request.toBeat(id, json)).map(HeartbeatAnswer::of);
    }
}
