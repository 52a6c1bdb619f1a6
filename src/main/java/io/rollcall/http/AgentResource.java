package io.rollcall.http;

import io.rollcall.agent.AgentHoldings;
import io.rollcall.agent.AgentRepository;
import io.rollcall.delegation.Releases;
import io.rollcall.error.LostRace;
import io.rollcall.http.json.OptionalBody;
import io.smallrye.faulttolerance.api.RetryWhen;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.hibernate.validator.constraints.CodePointLength;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Agents: who holds what, and taking it away. */
@Path("/v1/agents")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Operators")
class AgentResource {
    private final AgentRepository agents;
    private final Releases releases;

    AgentResource(AgentRepository agents, Releases releases) {
        this.agents = agents;
        this.releases = releases;
    }

    /** Why work is taken away. */
    @Schema(example = "{\"note\": \"its machine is gone\"}")
    record ReleaseRequest(
            @Nullable @CodePointLength(max = 1_000) String note) {}

    /** How many delegations went back into their queues. */
    record ReleaseAnswer(String agent, int released) {}

    @GET
    @Operation(summary = "Agents that hold anything, by name")
    public Page<AgentHoldings> list(
            @RestQuery @Nullable @Min(1) @Max(Paging.MAX_LIMIT) Integer limit,
            @RestQuery @Nullable @Name String cursor) {
        int wanted = Paging.limit(limit);
        List<AgentHoldings> found = agents.page(cursor == null ? "" : cursor, wanted + 1);
        return Page.of(found, wanted, Function.identity(), AgentHoldings::agent);
    }

    @POST
    @Path("/{agent}/release")
    @Operation(summary = "Put all that an agent has claimed back into its queues")
    @Retry(maxRetries = 5, delay = 20, jitter = 20)
    @RetryWhen(exception = LostRace.class)
    public ReleaseAnswer release(@RestPath @Name String agent, @OptionalBody @Valid @Nullable ReleaseRequest request) {
        int released = 0;
        UUID last = new UUID(0, 0);
        Releases.Batch batch;
        do {
            batch = releases.releaseNext(agent, last, request == null ? null : request.note());
            released += batch.released();
            last = batch.last() == null ? last : batch.last();
        } while (batch.last() != null);
        return new ReleaseAnswer(agent, released);
    }
}
