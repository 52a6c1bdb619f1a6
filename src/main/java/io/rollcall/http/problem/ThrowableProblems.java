package io.rollcall.http.problem;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.rollcall.error.DatabaseTrouble;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.smallrye.faulttolerance.api.RateLimitException;
import io.vertx.ext.web.handler.HttpException;
import jakarta.persistence.OptimisticLockException;
import jakarta.transaction.RollbackException;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.WebApplicationException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;
import org.hibernate.StaleStateException;
import org.jboss.logging.Logger;

/** Decides which problem a failure is. What nobody foresaw is a fault of ours: logged under an id, told as that id only. */
final class ThrowableProblems {
    private static final Logger LOG = Logger.getLogger(ThrowableProblems.class);
    private static final int MAX_CAUSES = 32;
    private static final String UNIQUE_VIOLATION = "23505";

    private static final String AWAY = "The database did not answer in time. Nothing was changed; ask again.";
    private static final String BUSY =
            "More is going on than the service takes on at once. Nothing was done; ask again.";
    private static final String CHANGED =
            "Others kept changing the same thing meanwhile. Nothing was changed; ask again.";

    private ThrowableProblems() {}

    static ProblemAnswer of(Throwable failure) {
        List<Throwable> chain = causes(failure);
        return refusal(chain)
                .or(() -> violations(chain))
                .or(() -> lostRace(chain))
                .or(() -> outOfReach(failure, chain))
                .or(() -> takenKey(chain))
                .or(() -> credentials(chain))
                .or(() -> decidedByFramework(chain))
                .orElseGet(() -> unforeseen(failure));
    }

    private static Optional<ProblemAnswer> refusal(List<Throwable> chain) {
        return first(chain, RefusedException.class).map(ProblemAnswer::of);
    }

    /** Only outermost: a constraint that an entity breaks on its way to the database is our fault. */
    private static Optional<ProblemAnswer> violations(List<Throwable> chain) {
        return chain.get(0) instanceof ConstraintViolationException violated
                        && ConstraintViolations.blameTheRequest(violated)
                ? Optional.of(ProblemAnswer.of(Problem.invalid(ConstraintViolations.of(violated))))
                : Optional.empty();
    }

    private static Optional<ProblemAnswer> lostRace(List<Throwable> chain) {
        return hasAny(chain, OptimisticLockException.class, StaleStateException.class)
                ? Optional.of(ProblemAnswer.of(ErrorCode.CONCURRENT_CHANGE, CHANGED))
                : Optional.empty();
    }

    /** The same in the words of a unique key: others were first, time and again. */
    private static Optional<ProblemAnswer> takenKey(List<Throwable> chain) {
        return first(chain, SQLException.class)
                .filter(failure -> UNIQUE_VIOLATION.equals(failure.getSQLState()))
                .map(failure -> ProblemAnswer.of(ErrorCode.CONCURRENT_CHANGE, CHANGED));
    }

    private static Optional<ProblemAnswer> outOfReach(Throwable failure, List<Throwable> chain) {
        if (DatabaseTrouble.isTrouble(failure) || timedOut(chain)) {
            LOG.debug("Answered 503", failure);
            return Optional.of(ProblemAnswer.of(ErrorCode.UNAVAILABLE, AWAY));
        }
        if (hasAny(chain, BulkheadException.class, RateLimitException.class, RejectedExecutionException.class)) {
            LOG.debug("Answered 503", failure);
            return Optional.of(ProblemAnswer.of(ErrorCode.OVERLOADED, BUSY));
        }
        return Optional.empty();
    }

    private static boolean timedOut(List<Throwable> chain) {
        return hasAny(
                        chain,
                        TimeoutException.class,
                        CircuitBreakerOpenException.class,
                        io.smallrye.mutiny.TimeoutException.class,
                        java.util.concurrent.TimeoutException.class)
                || chain.get(chain.size() - 1) instanceof RollbackException; // the reaper ended it: no other cause
    }

    private static Optional<ProblemAnswer> credentials(List<Throwable> chain) {
        if (hasAny(chain, UnauthorizedException.class, AuthenticationFailedException.class)) {
            return Optional.of(ProblemAnswer.of(
                    ErrorCode.UNAUTHENTICATED, "This needs a credential, and the request brought none that counts."));
        }
        return first(chain, ForbiddenException.class)
                .map(forbidden -> ProblemAnswer.of(ErrorCode.FORBIDDEN, "The credential is not good for this."));
    }

    private static Optional<ProblemAnswer> decidedByFramework(List<Throwable> chain) {
        Optional<Integer> status = first(chain, WebApplicationException.class)
                .map(failure -> failure.getResponse().getStatus())
                .or(() -> first(chain, HttpException.class).map(HttpException::getStatusCode));
        return status.filter(it -> (it >= 400 && it < 500) || it == 503).map(ThrowableProblems::ofStatus);
    }

    /** The problem for a status that somebody else decided, in words of our own. */
    static ProblemAnswer ofStatus(int status) {
        ErrorCode code = ErrorStatus.codeOf(status);
        return ProblemAnswer.of(code, detailOf(code));
    }

    private static String detailOf(ErrorCode code) {
        return switch (code) {
            case UNAUTHENTICATED -> "This needs a credential, and the request brought none that counts.";
            case FORBIDDEN -> "The credential is not good for this.";
            case NOT_FOUND -> "Nothing is to be found under this path.";
            case METHOD_NOT_ALLOWED -> "The path exists, but not for this method.";
            case NOT_ACCEPTABLE -> "The answer cannot be had in any of the media types in Accept.";
            case CONTENT_TOO_LARGE -> "The body is longer than the service reads.";
            case URI_TOO_LONG -> "The URI is longer than the service reads.";
            case HEADERS_TOO_LARGE -> "The headers are longer than the service reads.";
            case UNSUPPORTED_MEDIA_TYPE -> "The body must be application/json.";
            case TOO_MANY_REQUESTS -> "Too many requests; ask again later.";
            case CONCURRENT_CHANGE -> CHANGED;
            case PRECONDITION_FAILED -> "The version in If-Match is not the present one.";
            case OVERLOADED, UNAVAILABLE -> BUSY;
            case INTERNAL -> "The service failed. Nothing is known about why except in its log.";
            case INVALID_REQUEST,
                    EPOCH_REQUIRED,
                    INVALID_CURSOR,
                    INVALID_TRANSITION,
                    LEASE_LOST,
                    LEASE_HELD,
                    QUEUE_NOT_EMPTY,
                    IDEMPOTENCY_MISMATCH -> "The request cannot be understood.";
        };
    }

    static ProblemAnswer unforeseen(Throwable failure) {
        String errorId = UUID.randomUUID().toString();
        LOG.errorf(failure, "Request failed, answered 500 with errorId %s", errorId);
        return ProblemAnswer.of(Problem.of(
                ErrorCode.INTERNAL,
                "The service failed. Its log tells more under this errorId.",
                Map.of("errorId", errorId)));
    }

    private static <T extends Throwable> Optional<T> first(List<Throwable> chain, Class<T> type) {
        return chain.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    @SafeVarargs
    private static boolean hasAny(List<Throwable> chain, Class<? extends Throwable>... types) {
        return chain.stream().anyMatch(it -> List.of(types).stream().anyMatch(type -> type.isInstance(it)));
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable next = failure;
                next != null && chain.size() < MAX_CAUSES && !chain.contains(next);
                next = next.getCause()) {
            chain.add(next);
        }
        return chain;
    }
}
