package io.rollcall.http;

import io.rollcall.delegation.DelegationFilter;
import io.rollcall.delegation.DelegationFilter.Label;
import io.rollcall.delegation.DelegationSort;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.error.Violation;
import io.rollcall.http.problem.Problem;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** The query of a list of delegations. */
@SuppressWarnings("NullAway.Init") // filled in from the request
public class ListQuery {
    @RestQuery
    @Parameter(description = "Any of these; repeat it, or separate them by commas", example = "stuck")
    List<String> status;

    @RestQuery
    @Parameter(description = "Why it ended or got stuck", example = "heartbeat_stale")
    @Nullable
    String reason;

    @RestQuery
    @Parameter(description = "What last went wrong", example = "agent_reported")
    @Nullable
    String cause;

    @RestQuery
    @Nullable
    String queue;

    @RestQuery
    @Parameter(description = "Who is to do it, or holds it")
    @Nullable
    String agent;

    @RestQuery
    @Nullable
    String caller;

    @RestQuery
    @Parameter(description = "A label and its value", example = "team:search")
    @Nullable
    String label;

    @RestQuery
    @Parameter(description = "Failed as not_retryable or retries_exhausted")
    @Nullable
    Boolean deadLetter;

    @RestQuery
    @Parameter(description = "Dispatched to an agent that has never beaten")
    @Nullable
    Boolean neverBeat;

    @RestQuery
    @Nullable
    Instant createdAfter;

    @RestQuery
    @Nullable
    Instant createdBefore;

    @RestQuery
    @Parameter(description = "-createdAt (unless stated), createdAt, -updatedAt or deadlineAt")
    @Nullable
    String sort;

    @RestQuery
    @Min(1)
    @Max(500)
    @Parameter(description = "How many, 50 unless stated")
    @Nullable
    Integer limit;

    @RestQuery
    @Parameter(description = "nextCursor of the page before; belongs to the same sort and filters")
    @Nullable
    String cursor;

    DelegationFilter filter() {
        List<Violation> violations = new ArrayList<>();
        Set<DelegationStatus> statuses = statuses(violations);
        Label labelFilter = label(violations);
        if (!violations.isEmpty()) {
            throw Problem.invalid(violations);
        }
        return new DelegationFilter(
                statuses,
                reason,
                cause,
                queue,
                agent,
                caller,
                labelFilter,
                deadLetter,
                neverBeat,
                createdAfter,
                createdBefore);
    }

    DelegationSort sort() {
        return sort == null
                ? DelegationSort.NEWEST
                : DelegationSort.ofWireName(sort)
                        .orElseThrow(() ->
                                Problem.invalid("sort", "must be -createdAt, createdAt, -updatedAt or deadlineAt"));
    }

    int limit() {
        return Paging.limit(limit);
    }

    private Set<DelegationStatus> statuses(List<Violation> violations) {
        Set<DelegationStatus> statuses = EnumSet.noneOf(DelegationStatus.class);
        if (status != null) {
            for (String words : status) {
                for (String word : words.split(",", -1)) {
                    DelegationStatus.ofWireName(word)
                            .ifPresentOrElse(
                                    statuses::add,
                                    () -> violations.add(new Violation("status", "is not a status: " + word)));
                }
            }
        }
        return statuses;
    }

    private @Nullable Label label(List<Violation> violations) {
        if (label == null) {
            return null;
        }
        Optional<Label> parsed = LabelText.parse(label);
        if (parsed.isEmpty()) {
            violations.add(new Violation("label", LabelText.RULE));
        }
        return parsed.orElse(null);
    }
}
