package io.rollcall.http;

import io.rollcall.error.LostRace;
import io.rollcall.http.problem.Problem;
import io.rollcall.liveness.Probe;
import io.rollcall.resource.ForcedReleases;
import io.rollcall.resource.ResourceLease;
import io.rollcall.resource.ResourceLeases;
import io.rollcall.resource.ResourceRequest;
import io.smallrye.faulttolerance.api.RetryWhen;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import java.time.Duration;
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
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

/** Named locks with a time to live. */
@Path("/v1/leases")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Resource leases")
class ResourceLeaseResource {
    private final ResourceLeases leases;
    private final ForcedReleases forcedReleases;
    private final CanonicalJson json;

    ResourceLeaseResource(ResourceLeases leases, ForcedReleases forcedReleases, CanonicalJson json) {
        this.leases = leases;
        this.forcedReleases = forcedReleases;
        this.json = json;
    }

    /**
     * A lease to be acquired, or with an epoch to be renewed.
     *
     * @param holder who asks
     * @param ttl how long it is to last from now
     * @param requestId the same again gets the same lease while it is held
     * @param probe how to find out whether the holder is alive
     * @param delegationId it ends with the attempt at this delegation
     * @param delegationEpoch which attempt; the present one unless stated
     * @param epoch of the lease to renew; without it a new one is acquired
     */
    @Schema(
            name = "ResourceLeaseRequest",
            example = "{\"holder\": \"builder-7\", \"ttl\": \"PT2M\", \"requestId\": \"merge-0017\","
                    + " \"delegationId\": \"01890a5d-ac96-774b-bcce-b302099a8057\", \"delegationEpoch\": 1}")
    record LeaseBody(
            @NotNull @Name String holder,
            @NotNull @Span Duration ttl,
            @Nullable @Name String requestId,
            @Nullable @Valid Probe probe,
            @Nullable UUID delegationId,
            @Nullable @Min(1) Long delegationEpoch,
            @Nullable @Min(1) Long epoch) {

        /** A rule between two fields. */
        @AssertTrue(message = "delegationEpoch needs a delegationId")
        @Schema(hidden = true)
        boolean isEpochOfADelegation() {
            return delegationEpoch == null || delegationId != null;
        }
    }

    /** A lease that is held; its epoch grows with each acquisition, also after a release. */
    @Schema(name = "ResourceLease")
    record LeaseView(
            String name,
            String holder,
            long epoch,
            Instant expiresAt,
            Duration ttl,
            Instant acquiredAt,
            Instant renewedAt,
            @Nullable UUID delegationId,
            @Nullable Long delegationEpoch) {

        static LeaseView of(ResourceLease lease) {
            return new LeaseView(
                    lease.name(),
                    lease.holder(),
                    lease.epoch(),
                    lease.expiresAt(),
                    lease.ttl(),
                    lease.acquiredAt(),
                    lease.renewedAt(),
                    lease.delegationId(),
                    lease.delegationEpoch());
        }
    }

    @PUT
    @Path("/{name}")
    @Operation(summary = "Acquire a lease (201), or renew it with its epoch (200); 409 while another holds it")
    @Retry(maxRetries = 5, delay = 20, jitter = 20)
    @RetryWhen(exception = LostRace.class)
    public RestResponse<LeaseView> put(@RestPath @Name String name, @NotNull @Valid LeaseBody body) {
        ResourceRequest request = new ResourceRequest(
                name,
                body.holder(),
                body.ttl(),
                body.requestId(),
                json.ofNullable(body.probe()),
                body.delegationId(),
                body.delegationEpoch());
        if (body.epoch() != null) {
            return RestResponse.ok(LeaseView.of(leases.renew(request, body.epoch())));
        }
        ResourceLeases.Granted granted = leases.acquire(request);
        return ResponseBuilder.create(
                        granted.isNew() ? RestResponse.Status.CREATED : RestResponse.Status.OK,
                        LeaseView.of(granted.lease()))
                .location(URI.create("/v1/leases/" + name))
                .build();
    }

    @GET
    @Operation(summary = "Leases that are held, by name")
    public Page<LeaseView> list(
            @RestQuery @Nullable @Min(1) @Max(Paging.MAX_LIMIT) Integer limit,
            @RestQuery @Nullable @Name String cursor) {
        int wanted = Paging.limit(limit);
        List<ResourceLease> found = leases.page(cursor == null ? "" : cursor, wanted + 1);
        return Page.of(found, wanted, LeaseView::of, ResourceLease::name);
    }

    @GET
    @Path("/{name}")
    @Operation(summary = "One lease that is held")
    public LeaseView get(@RestPath @Name String name) {
        return LeaseView.of(leases.get(name));
    }

    @DELETE
    @Path("/{name}")
    @Operation(summary = "Release a lease by its epoch; operators may force it, whoever holds it")
    @Retry(maxRetries = 5, delay = 20, jitter = 20)
    @RetryWhen(exception = LostRace.class)
    public void release(
            @RestPath @Name String name, @RestQuery @Nullable @Min(1) Long epoch, @RestQuery @Nullable Boolean force) {
        if (Boolean.TRUE.equals(force)) {
            forcedReleases.release(name, epoch);
        } else if (epoch != null) {
            leases.release(name, epoch);
        } else {
            throw Problem.invalid("epoch", "is required, unless force=true");
        }
    }
}
