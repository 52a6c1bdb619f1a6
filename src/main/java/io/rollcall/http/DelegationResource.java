package io.rollcall.http;

import io.rollcall.delegation.Cancellations;
import io.rollcall.delegation.DelegationDetail;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.delegation.Delegations;
import io.rollcall.delegation.Edits;
import io.rollcall.delegation.Report;
import io.rollcall.delegation.ReportAnswer;
import io.rollcall.delegation.Successors;
import io.rollcall.error.LostRace;
import io.rollcall.http.json.OptionalBody;
import io.smallrye.faulttolerance.api.RetryWhen;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.hibernate.validator.constraints.CodePointLength;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

/** One delegation: looking at it, reporting on it, editing and retrying it. */
@Path("/v1/delegations/{id}")
@Consumes(MediaType.APPLICATION_JSON)
@Tag(name = "Delegations")
class DelegationResource {
    private final Delegations delegations;
    private final Reporting reporting;
    private final Edits edits;
    private final Cancellations cancellations;
    private final Successors successors;
    private final CanonicalJson json;

    DelegationResource(
            Delegations delegations,
            Reporting reporting,
            Edits edits,
            Cancellations cancellations,
            Successors successors,
            CanonicalJson json) {
        this.delegations = delegations;
        this.reporting = reporting;
        this.edits = edits;
        this.cancellations = cancellations;
        this.successors = successors;
        this.json = json;
    }

    /** What an operator may edit; what is left out stays as it is. */
    @Schema(example = "{\"priority\": 9, \"note\": \"the release waits for it\"}")
    record EditRequest(
            @Nullable Instant deadlineAt,
            @Nullable @Min(0) @Max(9) Integer priority,

            @Nullable @Size(max = 20)
            Map<@Pattern(regexp = RegisterRequest.LABEL_KEY) String, @NotNull @CodePointLength(max = 255) String>
                    labels,

            @Nullable @CodePointLength(max = 1_000) String note) {}

    /** Why it is called off. */
    @Schema(example = "{\"note\": \"not needed any more\"}")
    record CancelRequest(
            @Nullable @CodePointLength(max = 1_000) String note) {}

    /** What may differ in a successor; what is left out stays as it was. */
    @Schema(example = "{\"deadlineIn\": \"PT1H\", \"note\": \"the disk was full\"}")
    record RetryRequest(
            @Nullable @Name String agent,
            @Nullable @Name String queue,
            @Nullable @Span Duration deadlineIn,
            @Nullable @CodePointLength(max = 1_000) String note) {}

    @GET
    @Operation(summary = "One delegation, with its lease; the ETag is its version")
    public RestResponse<DelegationView> get(@RestPath UUID id) {
        return tagged(RestResponse.Status.OK, DelegationView.of(delegations.get(id)));
    }

    @POST
    @Path("/status")
    @Operation(summary = "Report how it went: by its agent with the epoch, by an operator with a note")
    public RestResponse<DelegationView> report(
            @RestPath UUID id,
            @NotNull @Valid StatusRequest request,
            @RestHeader("If-Match") @Nullable String ifMatch) {
        ReportAnswer answer = reporting.report(new Report(
                id,
                DelegationStatus.ofWireName(request.status()).orElseThrow(),
                request.epoch(),
                json.document(request.result(), "result"),
                request.error(),
                json.ofNullable(request.error()),
                request.progress(),
                request.note(),
                json.of(request),
                EntityTag.version(ifMatch)));
        return answer.isPending()
                ? tagged(RestResponse.Status.ACCEPTED, DelegationView.of(answer.detail()))
                : tagged(RestResponse.Status.OK, DelegationView.of(answer.detail(), answer.disposition()));
    }

    @PATCH
    @Operation(summary = "Edit one that is open")
    @Retry(maxRetries = 5, delay = 20, jitter = 20) // out here: each try needs a transaction of its own
    @RetryWhen(exception = LostRace.class)
    public RestResponse<DelegationView> edit(
            @RestPath UUID id, @NotNull @Valid EditRequest request, @RestHeader("If-Match") @Nullable String ifMatch) {
        DelegationDetail edited = edits.edit(
                id,
                new Edits.Edit(request.deadlineAt(), request.priority(), request.labels(), request.note()),
                EntityTag.version(ifMatch));
        return tagged(RestResponse.Status.OK, DelegationView.of(edited));
    }

    @POST
    @Path("/cancel")
    @Operation(summary = "Call it off: at once where nobody is at it, else through its agent's next heartbeat")
    @Retry(maxRetries = 5, delay = 20, jitter = 20)
    @RetryWhen(exception = LostRace.class)
    public RestResponse<DelegationView> cancel(
            @RestPath UUID id, @OptionalBody @Valid @Nullable CancelRequest request) {
        Cancellations.Cancellation cancellation = cancellations.cancel(id, request == null ? null : request.note());
        return tagged(
                cancellation.settled() ? RestResponse.Status.OK : RestResponse.Status.ACCEPTED,
                DelegationView.of(cancellation.detail()));
    }

    @POST
    @Path("/retry")
    @Operation(summary = "Try again what is stuck, failed or cancelled: a successor takes its place")
    @Retry(maxRetries = 5, delay = 20, jitter = 20)
    @RetryWhen(exception = LostRace.class)
    public RestResponse<DelegationView> retry(@RestPath UUID id, @OptionalBody @Valid @Nullable RetryRequest request) {
        Successors.Differences differences = request == null
                ? new Successors.Differences(null, null, null, null)
                : new Successors.Differences(request.agent(), request.queue(), request.deadlineIn(), request.note());
        return DelegationsResource.answered(successors.retry(id, differences));
    }

    private static RestResponse<DelegationView> tagged(RestResponse.Status status, DelegationView view) {
        return ResponseBuilder.create(status, view)
                .header("ETag", EntityTag.of(view.version()))
                .build();
    }
}
