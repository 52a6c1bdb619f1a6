package io.rollcall.error;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells the database being away, overloaded or too slow from every other failure. Such a request was rolled back and may
 * be asked again; a failure of any other kind would fail again.
 */
public final class DatabaseTrouble {
    /** Wrappers nest a handful of levels; what goes deeper than this is a cycle in the making. */
    private static final int MAX_THROWABLES = 64;

    /** This statement, or this transaction, could not be done at this time; another one may. */
    private static final Set<String> BUSY_STATES = Set.of(
            "25P03", // idle in transaction for too long
            "25P04", // the transaction took too long
            "40001", // could not serialize
            "40003", // completion unknown
            "40P01", // deadlock
            "55P03", // lock not available in time
            "57014"); // the statement took too long

    private static final Set<String> AWAY_STATES = Set.of(
            "25006", // read only: a standby took over and this connection does not know yet
            "3D000"); // no such database (yet)

    /** Connection trouble, credentials refused, resources exhausted, stopping or starting, disk trouble. */
    private static final Set<String> AWAY_STATE_PREFIXES = Set.of("08", "28", "53", "58", "57P");

    private DatabaseTrouble() {}

    /** Whether the failure, or anything that it wraps, says that no statement at all can be done at this time. */
    public static boolean isAway(@Nullable Throwable failure) {
        return anySqlException(failure, DatabaseTrouble::saysAway);
    }

    /** Whether the database is away, or was too busy for just this work: asking again may help. */
    public static boolean isTrouble(@Nullable Throwable failure) {
        return anySqlException(failure, sql -> saysAway(sql) || saysBusy(sql));
    }

    private static boolean anySqlException(@Nullable Throwable failure, Predicate<SQLException> says) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> waiting = new ArrayDeque<>();
        enqueue(waiting, failure);
        while (!waiting.isEmpty() && seen.size() < MAX_THROWABLES) {
            Throwable next = waiting.remove();
            if (!seen.add(next)) {
                continue;
            }
            if (next instanceof SQLException sql) {
                if (says.test(sql)) {
                    return true;
                }
                enqueue(waiting, sql.getNextException());
            }
            enqueue(waiting, next.getCause());
        }
        return false;
    }

    private static void enqueue(Deque<Throwable> waiting, @Nullable Throwable throwable) {
        if (throwable != null) {
            waiting.add(throwable);
        }
    }

    private static boolean saysAway(SQLException failure) {
        String state = failure.getSQLState();
        return failure instanceof SQLTransientConnectionException
                || failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLRecoverableException
                || comesFromThePool(failure)
                || (state != null
                        && (AWAY_STATES.contains(state)
                                || AWAY_STATE_PREFIXES.stream().anyMatch(state::startsWith)));
    }

    private static boolean saysBusy(SQLException failure) {
        return failure instanceof SQLTimeoutException
                || (failure.getSQLState() != null && BUSY_STATES.contains(failure.getSQLState()));
    }

    /** Agroal gives no SQLState: neither when no connection became free in time nor when the pool is shut. */
    private static boolean comesFromThePool(SQLException failure) {
        if (failure.getSQLState() != null) {
            return false;
        }
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return failure.getCause() instanceof TimeoutException
                || failure.getCause() instanceof InterruptedException
                || message.contains("acquisition timeout")
                || message.startsWith("this pool is closed");
    }
}
