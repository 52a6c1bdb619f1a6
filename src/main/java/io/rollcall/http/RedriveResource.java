package io.rollcall.http;

import io.rollcall.delegation.DelegationFilter;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.RawJson;
import io.rollcall.http.problem.Problem;
import io.rollcall.redrive.Redrive;
import io.rollcall.redrive.Redrives;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.hibernate.validator.constraints.CodePointLength;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

/** Retries in bulk. */
@Path("/v1/redrives")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Operators")
class RedriveResource {
    private static final int DEFAULT_PER_SECOND = 50;

    private final Redrives redrives;
    private final CanonicalJson json;

    RedriveResource(Redrives redrives, CanonicalJson json) {
        this.redrives = redrives;
        this.json = json;
    }

    /** Which delegations: as the query of the list. Of any status but stuck, failed and cancelled none matches. */
    @Schema(name = "RedriveFilter")
    record FilterBody(
            @Nullable @Size(max = 7) List<@NotNull DelegationStatus> status,
            @Nullable String reason,
            @Nullable String cause,
            @Nullable String queue,
            @Nullable String agent,
            @Nullable String caller,
            @Nullable String label,
            @Nullable Boolean deadLetter,
            @Nullable Boolean neverBeat,
            @Nullable Instant createdAfter,
            @Nullable Instant createdBefore) {

        DelegationFilter toFilter() {
            Set<DelegationStatus> statuses = EnumSet.noneOf(DelegationStatus.class);
            if (status != null) {
                statuses.addAll(status);
            }
            return new DelegationFilter(
                    statuses,
                    reason,
                    cause,
                    queue,
                    agent,
                    caller,
                    label == null ? null : LabelText.parse(label).orElseThrow(FilterBody::badLabel),
                    deadLetter,
                    neverBeat,
                    createdAfter,
                    createdBefore);
        }

        private static RuntimeException badLabel() {
            return Problem.invalid("filter.label", LabelText.RULE);
        }
    }

    /**
     * A redrive to begin, or only to look at.
     *
     * @param filter all that match it
     * @param ids these; only one of both
     * @param dryRun whether only to count and show a sample
     * @param perSecond how many to retry in a second, 50 unless stated
     * @param note the operator's, for the history
     */
    @Schema(
            example =
                    "{\"filter\": {\"queue\": \"builds\", \"deadLetter\": true}, \"dryRun\": true, \"perSecond\": 50, \"note\": \"the disk was full\"}")
    record RedriveRequest(
            @Nullable @Valid FilterBody filter,
            @Nullable @Size(min = 1, max = 10_000) List<@NotNull UUID> ids,
            @Nullable Boolean dryRun,
            @Nullable @Min(1) @Max(1_000) Integer perSecond,
            @Nullable @CodePointLength(max = 1_000) String note) {

        @AssertTrue(message = "either filter or ids, and not both")
        @Schema(hidden = true)
        boolean isEitherFilterOrIds() {
            return filter == null ^ ids == null;
        }

        List<UUID> idsOrNone() {
            return ids == null ? List.of() : ids;
        }
    }

    /** A redrive and how far it is; of a dry run how many would be retried, and the first of them. */
    @Schema(name = "Redrive")
    record RedriveView(
            @Nullable UUID id,
            @Nullable String state,
            boolean dryRun,
            @Nullable Instant createdAt,
            @Nullable Instant finishedAt,

            @Schema(description = "As it was asked for") @Nullable
            RawJson filter,

            @Nullable Integer perSecond,
            @Nullable String note,
            long matched,
            @Nullable Long retried,
            @Nullable Long skipped,
            @Nullable Long waiting,
            @Nullable List<DelegationView> sample) {

        static RedriveView of(Redrive redrive) {
            return new RedriveView(
                    redrive.id(),
                    redrive.state(),
                    false,
                    redrive.createdAt(),
                    redrive.finishedAt(),
                    DelegationView.raw(redrive.filter()),
                    redrive.perSecond(),
                    redrive.note(),
                    redrive.matched(),
                    redrive.retried(),
                    redrive.skipped(),
                    redrive.waiting(),
                    null);
        }

        static RedriveView of(Redrives.Preview preview) {
            List<DelegationView> sample =
                    preview.sample().stream().map(DelegationView::of).toList();
            return new RedriveView(
                    null, null, true, null, null, null, null, null, preview.matched(), null, null, null, sample);
        }
    }

    @POST
    @Operation(summary = "Retry many: all that match a filter, or these; dryRun only counts and shows a sample")
    public RestResponse<RedriveView> begin(@NotNull @Valid RedriveRequest request) {
        DelegationFilter filter =
                request.filter() == null ? null : request.filter().toFilter();
        if (Boolean.TRUE.equals(request.dryRun())) {
            return RestResponse.ok(RedriveView.of(redrives.preview(filter, request.idsOrNone())));
        }
        Redrive redrive = redrives.begin(
                filter,
                json.ofNullable(request.filter()),
                request.idsOrNone(),
                request.perSecond() == null ? DEFAULT_PER_SECOND : request.perSecond(),
                request.note());
        return ResponseBuilder.create(RestResponse.Status.ACCEPTED, RedriveView.of(redrive))
                .location(URI.create("/v1/redrives/" + redrive.id()))
                .build();
    }

    @GET
    @Operation(summary = "Redrives, newest first")
    public Page<RedriveView> list(
            @RestQuery @Nullable @Min(1) @Max(Paging.MAX_LIMIT) Integer limit, @RestQuery @Nullable UUID cursor) {
        int wanted = Paging.limit(limit);
        List<Redrive> found = redrives.page(cursor, wanted + 1);
        return Page.of(found, wanted, RedriveView::of, redrive -> redrive.id().toString());
    }

    @GET
    @Path("/{id}")
    @Operation(summary = "One redrive, and how far it is")
    public RedriveView get(@RestPath UUID id) {
        return RedriveView.of(redrives.get(id));
    }

    @DELETE
    @Path("/{id}")
    @Operation(summary = "Stop a redrive; what it has retried stays so")
    public RedriveView cancel(@RestPath UUID id) {
        return RedriveView.of(redrives.cancel(id));
    }
}
