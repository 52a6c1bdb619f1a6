package io.rollcall.http;

import io.rollcall.http.json.OptionalBody;
import io.rollcall.sweep.SweepControl;
import io.rollcall.sweep.SweepReport;
import io.rollcall.sweep.SweepStatus;
import io.rollcall.sweep.Sweeper;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** The sweeper: what it did, and what operators may tell it. */
@Path("/v1/sweeper")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Operators")
class SweeperResource {
    private static final int DEFAULT_REPORTS = 20;

    private final Sweeper sweeper;
    private final SweepControl control;
    private final SweepStatus status;

    SweeperResource(Sweeper sweeper, SweepControl control, SweepStatus status) {
        this.sweeper = sweeper;
        this.control = control;
        this.status = status;
    }

    /** What an operator may tell a sweep. */
    @Schema(example = "{\"dryRun\": true}")
    record SweepRequest(@Nullable Boolean dryRun, @Nullable Boolean force) {
        static boolean isTrue(@Nullable Boolean value) {
            return Boolean.TRUE.equals(value);
        }
    }

    @GET
    @Operation(summary = "Its settings, whether it holds back, and its last reports, newest first")
    public SweepStatus.View get(@RestQuery @Nullable @Min(1) @Max(1_000) Integer limit) {
        return status.view(limit == null ? DEFAULT_REPORTS : limit);
    }

    @POST
    @Path("/sweep")
    @Operation(summary = "Sweep now, also while paused; force ignores the brake, dryRun only judges")
    public SweepReport sweep(@OptionalBody @Valid @Nullable SweepRequest request) {
        return request == null
                ? sweeper.sweep("operator", false, false)
                : sweeper.sweep(
                        "operator", SweepRequest.isTrue(request.dryRun()), SweepRequest.isTrue(request.force()));
    }

    @POST
    @Path("/pause")
    @Operation(summary = "Make the ticks of all replicas do nothing")
    public SweepStatus.View pause(@OptionalBody @Valid @Nullable SweepRequest request) {
        control.pause(true);
        return status.view(1);
    }

    @POST
    @Path("/resume")
    @Operation(summary = "Make the ticks of all replicas do their work again")
    public SweepStatus.View resume(@OptionalBody @Valid @Nullable SweepRequest request) {
        control.pause(false);
        return status.view(1);
    }
}
