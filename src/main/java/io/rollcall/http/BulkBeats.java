package io.rollcall.http;

import io.rollcall.delegation.DelegationStatus;
import io.rollcall.error.DatabaseTrouble;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.lease.Beat;
import io.rollcall.lease.Renewal;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.validation.Validator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Many heartbeats at once, each answered for itself. */
@ApplicationScoped
class BulkBeats {
    private static final Logger LOG = Logger.getLogger(BulkBeats.class);

    private final Beats beats;
    private final Validator validator;
    private final CanonicalJson json;

    BulkBeats(Beats beats, Validator validator, CanonicalJson json) {
        this.beats = beats;
        this.validator = validator;
        this.json = json;
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
            @Nullable UUID id,
            Outcome result,
            @Nullable DelegationStatus status,
            @Nullable Instant staleAt,
            HeartbeatAnswer.@Nullable Directive directive,
            @Nullable String detail) {}

    /** Beats for all; completes when each is answered. */
    Uni<List<Result>> beat(List<BulkItemReader.Read> items) {
        @Nullable Result[] results = new Result[items.size()];
        List<Beat> asked = new ArrayList<>(items.size());
        int[] places = new int[items.size()];
        for (int i = 0; i < items.size(); i++) {
            results[i] = faultIn(items.get(i));
            BulkItem item = items.get(i).item();
            if (results[i] == null && item != null) {
                places[asked.size()] = i;
                asked.add(item.request().toBeat(item.id(), json));
            }
        }
        return beats.renewAll(asked).chain(answers -> {
            List<Integer> undecided = new ArrayList<>();
            for (int i = 0; i < answers.size(); i++) {
                results[places[i]] = resultOf(asked.get(i), answers.get(i));
                if (results[places[i]] == null) {
                    undecided.add(i);
                }
            }
            return decide(undecided.stream().map(asked::get).toList()).map(decided -> {
                for (int i = 0; i < decided.size(); i++) {
                    results[places[undecided.get(i)]] = decided.get(i);
                }
                return Arrays.asList(results);
            });
        });
    }

    /** First beats are written together; what is left then is asked one by one. */
    private Uni<List<Result>> decide(List<Beat> undecided) {
        if (undecided.isEmpty()) {
            return Uni.createFrom().item(List.of());
        }
        return beats.begin(undecided)
                .onFailure(failure -> !DatabaseTrouble.isAway(failure))
                .recoverWithItem(failure -> {
                    LOG.debug("First beats could not be written together; each goes its own way.", failure);
                    return Map.of();
                })
                .chain(begun -> Uni.join()
                        .all(undecided.stream()
                                .map(beat -> decide(beat, begun.get(beat)))
                                .toList())
                        .andFailFast())
                .onFailure()
                .recoverWithItem(failure ->
                        undecided.stream().map(beat -> refused(beat, failure)).toList());
    }

    private Uni<Result> decide(Beat beat, @Nullable Renewal begun) {
        return (begun == null ? beats.beatOrdinarily(beat) : Uni.createFrom().item(begun))
                .map(renewal -> renewed(beat, renewal))
                .onFailure()
                .recoverWithItem(failure -> refused(beat, failure));
    }

    private @Nullable Result faultIn(BulkItemReader.Read read) {
        BulkItem item = read.item();
        if (item == null) {
            return new Result(read.id(), Outcome.INVALID, null, null, null, read.fault());
        }
        return item.request().violations(validator).stream()
                .map(violation -> violation.getPropertyPath() + " " + violation.getMessage())
                .sorted()
                .findFirst()
                .map(detail -> new Result(read.id(), Outcome.INVALID, null, null, null, detail))
                .orElse(null);
    }

    /** Null where the ordinary path has to decide. */
    private static @Nullable Result resultOf(Beat beat, Beats.Answer answer) {
        if (answer.renewal() != null) {
            return renewed(beat, answer.renewal());
        }
        return answer.refusal() == null ? null : refused(beat, answer.refusal());
    }

    private static Result renewed(Beat beat, Renewal renewal) {
        return new Result(
                beat.delegationId(),
                Outcome.RENEWED,
                HeartbeatAnswer.statusOf(renewal),
                renewal.staleAt(),
                HeartbeatAnswer.Directive.of(renewal),
                null);
    }

    private static Result refused(Beat beat, Throwable failure) {
        if (failure instanceof RefusedException refusal) {
            Object status = refusal.fields().get("delegationStatus");
            return new Result(
                    beat.delegationId(),
                    Outcome.of(refusal.code()),
                    status == null
                            ? null
                            : DelegationStatus.ofWireName(status.toString()).orElse(null),
                    null,
                    null,
                    refusal.detail());
        }
        return new Result(beat.delegationId(), Outcome.UNAVAILABLE, null, null, null, "was not looked at; beat again");
    }
}
