package io.rollcall.error;

import jakarta.persistence.OptimisticLockException;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Predicate;
import org.hibernate.StaleStateException;

/**
 * Tells a race that was lost in the database, after which the whole transaction may be tried again: a version that moved
 * on, a unique key that somebody else took, a deadlock or a serialization failure.
 */
public class LostRace implements Predicate<Throwable> {
    private static final Set<String> SQL_STATES = Set.of("23505", "40001", "40P01");

    @Override
    public boolean test(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof OptimisticLockException
                    || cause instanceof StaleStateException
                    || (cause instanceof SQLException sql
                            && sql.getSQLState() != null // the pool gives none
                            && SQL_STATES.contains(sql.getSQLState()))) {
                return true;
            }
        }
        return false;
    }
}
