package io.rollcall.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollcall.delegation.DelegationStatus;
import io.rollcall.error.DatabaseTrouble;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.error.Violation;
import io.rollcall.http.json.JsonViolations;
import io.rollcall.lease.Beat;
import io.rollcall.lease.Renewal;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.hibernate.validator.constraints.CodePointLength;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Many heartbeats at once, each answered for itself. */
@ApplicationScoped
class BulkBeats {
    private static final Logger LOG = Logger.getLogger(BulkBeats.class);

    private final Beats beats;
    private final ObjectMapper json;
    private final Validator validator;

    BulkBeats(Beats beats, ObjectMapper json, Validator validator) {
        this.beats = beats;
        this.json = json;
        this.validator = validator;
    }

    /** One heartbeat of many: as a single one, with the id of its delegation. */
    record Item(
            @NotNull UUID id,
            @Nullable @Min(1) Long epoch,
            @Nullable @DecimalMin("0") @DecimalMax("1") Double progress,
            @Nullable @CodePointLength(max = 200) String note,

            @Nullable @Pattern(regexp = "none|non_idempotent")
            String effect,

            @Nullable @Span Duration leaseTime) {

        Beat toBeat() {
            return new HeartbeatRequest(epoch, progress, note, effect, leaseTime).toBeat(id);
        }
    }

    /** What became of one heartbeat. */
    enum Outcome {
        /** The lease is renewed. */
        RENEWED,
        /** Somebody else holds the work, or nobody does. */
        LEASE_LOST,
        /** There is no such delegation. */
        NOT_FOUND,
        /** The item breaks a rule of the contract. */
        INVALID,
        /** It was not looked at; beat again. Not a lost lease. */
        UNAVAILABLE;

        static Outcome of(ErrorCode refusal) {
            return switch (refusal) {
                case LEASE_LOST -> LEASE_LOST;
                case NOT_FOUND -> NOT_FOUND;
                case OVERLOADED, UNAVAILABLE, CONCURRENT_CHANGE -> UNAVAILABLE;
                default -> INVALID;
            };
        }
    }

    /** The answer to one heartbeat of many. */
    record Result(
            @Nullable String id,
            Outcome result,
            @Nullable DelegationStatus status,
            @Nullable Instant staleAt,
            HeartbeatAnswer.@Nullable Directive directive,
            @Nullable String detail) {}

    /** Beats for all; completes when each is answered. */
    Uni<List<Result>> beat(List<@Nullable JsonNode> items) {
        if (items.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        List<Read> read = items.stream().map(this::read).toList();
        try {
            beats.begin(read.stream().map(Read::beat).filter(Objects::nonNull).toList());
        } catch (RuntimeException e) {
            if (DatabaseTrouble.isAway(e)) {
                return Uni.createFrom()
                        .item(read.stream().map(one -> one.unless(e)).toList());
            }
            LOG.debug("First beats could not be written together; each goes its own way.", e);
        }
        return Uni.join().all(read.stream().map(this::answer).toList()).andFailFast();
    }

    /** An item: a beat, or why it is none. */
    private record Read(@Nullable Beat beat, @Nullable Result refusal) {
        Result unless(Throwable failure) {
            return beat == null ? Objects.requireNonNull(refusal) : refused(beat.delegationId(), failure);
        }
    }

    private Uni<Result> answer(Read read) {
        Beat beat = read.beat();
        if (beat == null) {
            return Uni.createFrom().item(Objects.requireNonNull(read.refusal()));
        }
        return beats.beat(beat)
                .map(renewal -> renewed(beat.delegationId(), renewal))
                .onFailure()
                .recoverWithItem(failure -> refused(beat.delegationId(), failure));
    }

    private Read read(@Nullable JsonNode node) {
        if (node == null) {
            return new Read(null, invalid(null, "is not a heartbeat"));
        }
        String id = node.path("id").isTextual() ? node.get("id").textValue() : null;
        Item item;
        try {
            item = json.treeToValue(node, Item.class);
        } catch (JsonProcessingException e) {
            Violation violation = JsonViolations.of(e);
            return new Read(null, invalid(id, (violation.field() + " " + violation.message()).strip()));
        } catch (IllegalArgumentException e) {
            return new Read(null, invalid(id, "is not a heartbeat"));
        }
        Set<ConstraintViolation<Item>> violations = item == null ? Set.of() : validator.validate(item);
        if (item == null || !violations.isEmpty()) {
            String detail = violations.stream()
                    .map(violation -> violation.getPropertyPath() + " " + violation.getMessage())
                    .sorted()
                    .findFirst()
                    .orElse("is not a heartbeat");
            return new Read(null, invalid(id, detail));
        }
        return new Read(item.toBeat(), null);
    }

    private static Result renewed(UUID id, Renewal renewal) {
        return new Result(
                id.toString(),
                Outcome.RENEWED,
                HeartbeatAnswer.statusOf(renewal),
                renewal.staleAt(),
                HeartbeatAnswer.Directive.of(renewal),
                null);
    }

    private static Result invalid(@Nullable String id, String detail) {
        return new Result(id, Outcome.INVALID, null, null, null, detail);
    }

    private static Result refused(UUID id, Throwable failure) {
        if (failure instanceof RefusedException refusal) {
            Object status = refusal.fields().get("delegationStatus");
            return new Result(
                    id.toString(),
                    Outcome.of(refusal.code()),
                    status == null
                            ? null
                            : DelegationStatus.ofWireName(status.toString()).orElse(null),
                    null,
                    null,
                    refusal.detail());
        }
        return new Result(id.toString(), Outcome.UNAVAILABLE, null, null, null, "was not looked at; beat again");
    }
}
