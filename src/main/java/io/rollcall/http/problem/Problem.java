package io.rollcall.http.problem;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.error.Violation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An answer that says no, as RFC 9457 has it.
 *
 * @param type {@code urn:rollcall:problem:<name>}: what a program decides by
 * @param title the same for all problems of that type
 * @param status the HTTP status
 * @param detail one sentence about this very case
 * @param fields what else helps the client, such as {@code delegationStatus}, {@code epoch} or {@code violations}
 */
@RegisterForReflection
@JsonPropertyOrder({"type", "title", "status", "detail"})
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @JsonIgnore Map<String, Object> fields) {

    /** The media type of every such answer. */
    public static final String MEDIA_TYPE = "application/problem+json";

    /** The field that holds {@link Violation}s. */
    public static final String VIOLATIONS = "violations";

    /** The field with the seconds after which to ask again; it is answered as {@code Retry-After} as well. */
    public static final String RETRY_AFTER_S = "retryAfterS";

    private static final String TYPE_PREFIX = "urn:rollcall:problem:";
    private static final Set<String> RESERVED = Set.of("type", "title", "status", "detail", "instance", "fields");

    /** Keeps the fields in their order and the standard members out of them. */
    public Problem {
        Map<String, Object> kept = new LinkedHashMap<>(fields);
        kept.keySet().removeAll(RESERVED);
        kept.computeIfPresent(VIOLATIONS, (name, violations) -> ViolationView.ofAll(violations));
        fields = Collections.unmodifiableMap(kept);
    }

    /** A problem of that kind. */
    public static Problem of(ErrorCode code, String detail, Map<String, Object> fields) {
        return new Problem(
                TYPE_PREFIX + code.wireName(), ErrorStatus.titleOf(code), ErrorStatus.of(code), detail, fields);
    }

    /** A problem of that kind without further fields. */
    public static Problem of(ErrorCode code, String detail) {
        return of(code, detail, Map.of());
    }

    /** What the service refused, as a problem. */
    public static Problem of(RefusedException refusal) {
        return of(refusal.code(), refusal.detail(), refusal.fields());
    }

    /** A refusal that names what is wrong with the request; the first violation is its detail. */
    public static RefusedException invalid(List<Violation> violations) {
        return new RefusedException(ErrorCode.INVALID_REQUEST, ViolationView.sentenceOf(violations.get(0)))
                .with(VIOLATIONS, List.copyOf(violations));
    }

    /** A refusal of one field or parameter. */
    public static RefusedException invalid(String field, String message) {
        return invalid(List.of(new Violation(field, message)));
    }

    /** The further fields stand beside the standard ones. */
    @JsonAnyGetter
    Map<String, Object> extensions() {
        return fields;
    }
}
