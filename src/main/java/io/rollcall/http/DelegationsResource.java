package io.rollcall.http;

import io.rollcall.delegation.Delegation;
import io.rollcall.delegation.DelegationDetail;
import io.rollcall.delegation.DelegationFilter;
import io.rollcall.delegation.DelegationSort;
import io.rollcall.delegation.Delegations;
import io.rollcall.delegation.NewDelegation;
import io.rollcall.delegation.PagePosition;
import io.rollcall.delegation.Registration;
import io.rollcall.delegation.Registrations;
import io.rollcall.error.LostRace;
import io.rollcall.error.Violation;
import io.rollcall.http.problem.Problem;
import io.smallrye.faulttolerance.api.RetryWhen;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

/** Registering and listing delegations. */
@Path("/v1/delegations")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Delegations")
class DelegationsResource {
    private final Registrations registrations;
    private final Registering registering;
    private final Delegations delegations;

    DelegationsResource(Registrations registrations, Registering registering, Delegations delegations) {
        this.registrations = registrations;
        this.registering = registering;
        this.delegations = delegations;
    }

    /** Up to 1,000 registrations. */
    @Schema(
            example =
                    "{\"items\": [{\"caller\": \"web-shop\", \"queue\": \"builds\", \"task\": \"Build the image of commit 4f2a\"}]}")
    record Batch(@NotNull @Size(min = 1, max = 1_000) List<@NotNull @Valid RegisterRequest> items) {}

    /** What they became, in order. */
    record BatchAnswer(List<DelegationView> items) {}

    @POST
    @Operation(summary = "Register a delegation: dispatched to its agent, or queued")
    @Retry(maxRetries = 5, delay = 20, jitter = 20)
    @RetryWhen(exception = LostRace.class)
    public RestResponse<DelegationView> register(
            @NotNull @Valid RegisterRequest request,
            @RestHeader("Idempotency-Key") @Nullable @Size(min = 1, max = 255) String idempotencyKey) {
        Registration answer = registrations
                .register(List.of(registering.toNew(request, "", idempotencyKey)))
                .get(0);
        return answered(answer);
    }

    @POST
    @Path("/batch")
    @Operation(summary = "Register up to 1,000 delegations, all or none")
    @Retry(maxRetries = 5, delay = 20, jitter = 20)
    @RetryWhen(exception = LostRace.class)
    public RestResponse<BatchAnswer> registerAll(@NotNull @Valid Batch batch) {
        List<NewDelegation> requests = new ArrayList<>();
        for (int i = 0; i < batch.items().size(); i++) {
            requests.add(registering.toNew(batch.items().get(i), "items[" + i + "].", null));
        }
        refuseTwins(requests);
        List<DelegationView> items = registrations.register(requests).stream()
                .map(registration -> DelegationView.of(registration.detail()))
                .toList();
        return RestResponse.status(RestResponse.Status.CREATED, new BatchAnswer(items));
    }

    @GET
    @Operation(summary = "List delegations")
    public Page<DelegationView> list(@Valid @BeanParam ListQuery query) {
        DelegationFilter filter = query.filter();
        DelegationSort sort = query.sort();
        PagePosition after = query.cursor == null ? null : Cursor.parse(query.cursor, sort, filter);
        List<DelegationDetail> found = delegations.page(filter, sort, after, query.limit() + 1);
        return Page.of(found, query.limit(), DelegationView::of, detail -> {
            Delegation last = detail.delegation();
            return Cursor.of(new PagePosition(sort.keyOf(last), last.id()), sort, filter);
        });
    }

    /** 201 for a new one, 200 for one that was there: with where to find it, and its version. */
    static RestResponse<DelegationView> answered(Registration answer) {
        DelegationView view = DelegationView.of(answer.detail());
        return ResponseBuilder.create(answer.created() ? RestResponse.Status.CREATED : RestResponse.Status.OK, view)
                .location(URI.create("/v1/delegations/" + view.id()))
                .header("ETag", EntityTag.of(view.version()))
                .build();
    }

    private static void refuseTwins(List<NewDelegation> requests) {
        Set<UUID> seen = new HashSet<>();
        List<Violation> twins = requests.stream()
                .filter(request -> !seen.add(request.id()))
                .map(request -> new Violation(request.place() + "id", "stands twice in this batch"))
                .toList();
        if (!twins.isEmpty()) {
            throw Problem.invalid(twins);
        }
    }
}
