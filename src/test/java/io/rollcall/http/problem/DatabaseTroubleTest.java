package io.rollcall.http.problem;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rollcall.error.DatabaseTrouble;
import jakarta.persistence.PersistenceException;
import jakarta.transaction.RollbackException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseTroubleTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "08000", "08001", "08003", "08006", "53300", "53100", "57P01", "57P02", "57P03", "57014", "55P03",
                "40001", "40P01", "25006", "28P01"
            })
    void seesTroubleThatPasses(String state) {
        assertTrue(DatabaseTrouble.isTrouble(new SQLException("x", state)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"55P03", "57014", "40001", "40P01"})
    void tellsABusyDatabaseFromOneThatIsAway(String state) {
        assertFalse(DatabaseTrouble.isAway(new SQLException("x", state)));
        assertTrue(DatabaseTrouble.isAway(new SQLException("x", "08006")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "23514", "42601", "42P01", "22003", "22021", "25P02", "XX000"})
    void seesNoneInFaultsThatStay(String state) {
        assertFalse(DatabaseTrouble.isTrouble(new SQLException("x", state)));
    }

    @Test
    void looksBehindAllWrappers() {
        SQLException gone = new SQLException("gone", "08006");
        RollbackException rollback = new RollbackException("x");
        rollback.initCause(new PersistenceException(new IllegalStateException(gone)));
        assertTrue(DatabaseTrouble.isTrouble(new RuntimeException(rollback)));

        BatchUpdateException batch = new BatchUpdateException();
        batch.setNextException(gone);
        assertTrue(DatabaseTrouble.isTrouble(new PersistenceException(batch)));
    }

    @Test
    void seesAnExhaustedOrClosedPoolAlthoughItHasNoState() {
        assertTrue(DatabaseTrouble.isTrouble(new SQLException("Acquisition timeout while waiting for new connection")));
        assertTrue(DatabaseTrouble.isTrouble(new SQLException("Sorry, acquisition timeout!")));
        assertTrue(DatabaseTrouble.isTrouble(new SQLException("x", new TimeoutException())));
        assertTrue(DatabaseTrouble.isTrouble(
                new SQLException("This pool is closed and does not handle any more connections!")));
        assertTrue(DatabaseTrouble.isTrouble(new SQLTransientConnectionException()));
    }

    @Test
    void endsOnACycleAndOnNothing() {
        Exception first = new Exception("a");
        Exception second = new Exception("b", first);
        first.initCause(second);
        assertFalse(DatabaseTrouble.isTrouble(first));
        assertFalse(DatabaseTrouble.isTrouble(null));
    }
}
