package io.rollcall.http;

import io.rollcall.delegation.RawJson;
import io.rollcall.queue.QueueSettings;
import io.rollcall.queue.QueueState;
import io.rollcall.queue.Queues;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** Queues: their settings, and what stands in them. */
@Path("/v1/queues")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Queues")
class QueueResource {
    private final Queues queues;
    private final GateTerms gates;

    QueueResource(Queues queues, GateTerms gates) {
        this.queues = queues;
        this.gates = gates;
    }

    /** The settings of a queue, all of them anew; what is left out is as the settings of the service say. */
    @Schema(example = "{\"maxInFlight\": 10, \"paused\": false, \"heartbeatTimeout\": \"PT5M\", \"maxRequeues\": 5}")
    record QueueRequest(
            @Nullable Boolean paused,
            @Nullable @PositiveOrZero Integer maxInFlight,
            @Nullable @Span Duration heartbeatTimeout,
            @Nullable @Span Duration deadline,
            @Nullable @Min(0) @Max(100) Integer maxRequeues,
            @Nullable @Span Duration maxRunning,
            @Nullable @Span Duration queueTimeout,
            @Nullable @Span Duration backoffBase,
            @Nullable @Span Duration backoffCap,
            @Nullable @Valid GateRequest gate,
            @Nullable @Span Duration retention) {

        QueueSettings toSettings(String name, @Nullable String storedGate) {
            return new QueueSettings(
                    name,
                    Boolean.TRUE.equals(paused),
                    maxInFlight,
                    heartbeatTimeout,
                    deadline,
                    maxRequeues,
                    maxRunning,
                    queueTimeout,
                    backoffBase,
                    backoffCap,
                    storedGate,
                    retention);
        }
    }

    /** A queue: its settings, how many wait (delayed ones included), since when the oldest, how many are in flight. */
    @Schema(name = "Queue")
    record QueueView(
            String name,
            boolean paused,
            @Nullable Integer maxInFlight,
            @Nullable Duration heartbeatTimeout,
            @Nullable Duration deadline,
            @Nullable Integer maxRequeues,
            @Nullable Duration maxRunning,
            @Nullable Duration queueTimeout,
            @Nullable Duration backoffBase,
            @Nullable Duration backoffCap,

            @Schema(implementation = GateRequest.class) @Nullable
            RawJson gate,

            @Nullable Duration retention,
            long depth,
            @Nullable Instant oldestWaitingAt,
            long inFlight) {

        static QueueView of(QueueState state) {
            QueueSettings settings = state.settings();
            return new QueueView(
                    settings.name(),
                    settings.paused(),
                    settings.maxInFlight(),
                    settings.heartbeatTimeout(),
                    settings.deadline(),
                    settings.maxRequeues(),
                    settings.maxRunning(),
                    settings.queueTimeout(),
                    settings.backoffBase(),
                    settings.backoffCap(),
                    DelegationView.raw(settings.gate()),
                    settings.retention(),
                    state.depth(),
                    state.oldestWaitingAt(),
                    state.inFlight());
        }
    }

    @GET
    @Operation(summary = "All queues that are set up or have delegations")
    public Page<QueueView> list() {
        List<QueueView> items = queues.list().stream().map(QueueView::of).toList();
        return new Page<>(items, null);
    }

    @GET
    @Path("/{queue}")
    @Operation(summary = "One queue")
    public QueueView get(@RestPath @Name String queue) {
        return QueueView.of(queues.get(queue));
    }

    @PUT
    @Path("/{queue}")
    @Operation(summary = "Set a queue up anew, or pause it; touches only what is registered or claimed afterwards")
    public QueueView put(@RestPath @Name String queue, @NotNull @Valid QueueRequest request) {
        return QueueView.of(queues.put(request.toSettings(queue, gates.stored(request.gate(), "gate"))));
    }

    @DELETE
    @Path("/{queue}")
    @Operation(summary = "Forget the settings of a queue that has no open delegations")
    public void delete(@RestPath @Name String queue) {
        queues.delete(queue);
    }
}
