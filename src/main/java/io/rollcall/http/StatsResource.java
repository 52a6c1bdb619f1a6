package io.rollcall.http;

import io.rollcall.delegation.Delegations;
import io.rollcall.delegation.Stats;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** How many delegations stand where. */
@Path("/v1/stats")
@Tag(name = "Operators")
class StatsResource {
    private final Delegations delegations;

    StatsResource(Delegations delegations) {
        this.delegations = delegations;
    }

    @GET
    @Operation(summary = "How many delegations stand where")
    public Stats stats() {
        return delegations.stats();
    }
}
