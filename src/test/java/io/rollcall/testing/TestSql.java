package io.rollcall.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;

/** The database of the running tests, past the service: to look at it, to move its times, and to hold its locks. */
public final class TestSql {
    private TestSql() {}

    /** Executes a statement with positional parameters; how many rows it changed. */
    public static int execute(String sql, Object... parameters) {
        try (Connection connection = PostgresResource.dataSource().getConnection()) {
            return execute(connection, sql, parameters);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of the first row; null where there is none. Times come as {@link Instant}. */
    public static <T> T value(Class<T> type, String sql, Object... parameters) {
        List<Map<String, Object>> rows = rows(sql, parameters);
        return rows.isEmpty() ? null : type.cast(rows.get(0).values().iterator().next());
    }

    /** The number in the first column of the first row: of a {@code select count(*)}, say. */
    public static long count(String sql, Object... parameters) {
        return value(Number.class, sql, parameters).longValue();
    }

    /** All rows, by the names of their columns. Times come as {@link Instant}. */
    public static List<Map<String, Object>> rows(String sql, Object... parameters) {
        try (Connection connection = PostgresResource.dataSource().getConnection();
                PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet result = statement.executeQuery()) {
            ResultSetMetaData columns = result.getMetaData();
            List<Map<String, Object>> rows = new ArrayList<>();
            while (result.next()) {
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    boolean isTime = columns.getColumnTypeName(i).equals("timestamptz");
                    row.put(columns.getColumnLabel(i), isTime ? instant(result, i) : result.getObject(i));
                }
                rows.add(row);
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The row of one delegation. */
    public static Map<String, Object> delegation(UUID id) {
        return rows("select * from delegation where id = ?", id).get(0);
    }

    /** No delegation is left, nor anything of one; the sweeper is as at first. For tests that need an empty ledger. */
    public static void emptyLedger() {
        execute("delete from delegation");
        execute("delete from resource_lease");
        execute("delete from sweep");
        execute("update sweeper_control set paused = false, braking_since = null");
    }

    /** As if a replica had just noted that beats are accepted: for the next five seconds silence counts. */
    public static void beatsAreAccepted() {
        execute("update beat_acceptance set noted_at = now()");
    }

    /** As if its holder had been silent for longer than its lease time. */
    public static void silence(UUID id) {
        int changed = execute("""
                update lease set last_beat_at = now() - lease_us * interval '1 microsecond' - interval '1 second',
                                 stale_at = now() - interval '1 second'
                where delegation_id = ?
                """, id);
        if (changed != 1) {
            throw new IllegalStateException("no lease on " + id);
        }
    }

    /** As if neither its outcome nor a beat had come for so long; it must have an outcome. */
    public static void leaveUnfinalized(UUID id, Duration since) {
        int changed = execute("""
                update lease set outcome_at = now() - t.since, last_beat_at = now() - t.since,
                                 stale_at = now() - t.since + lease_us * interval '1 microsecond'
                from (select cast(? as interval) as since) t where delegation_id = ? and outcome_at is not null
                """, since.toString(), id);
        if (changed != 1) {
            throw new IllegalStateException("no outcome of " + id);
        }
        execute("update delegation set outcome_at = now() - cast(? as interval) where id = ?", since.toString(), id);
    }

    /** As if its deadline had come a second ago. */
    public static void deadlineHasCome(UUID id) {
        execute(
                "update delegation set deadline_at = now() - interval '1 second', due_at = now() - interval '1 second'"
                        + " where id = ?",
                id);
    }

    /** As if all that happened to it had happened that much earlier. */
    public static void age(UUID id, Duration by) {
        execute("""
                update delegation set created_at = created_at - t.by, updated_at = updated_at - t.by,
                    started_at = started_at - t.by, finished_at = finished_at - t.by, deadline_at = deadline_at - t.by,
                    available_at = available_at - t.by, cancel_by = cancel_by - t.by, due_at = due_at - t.by
                from (select cast(? as interval) as by) t where id = ?
                """, by.toString(), id);
    }

    /** Another transaction, which holds the lock of a delegation's row until it ends. */
    public static Held holdDelegation(UUID id) {
        return new Held("select id from delegation where id = ? for no key update", id);
    }

    /** Another transaction, which holds the lock of a lease until it ends. */
    public static Held holdLease(UUID id) {
        return new Held("select delegation_id from lease where delegation_id = ? for no key update", id);
    }

    /** A transaction of its own, open until it is committed or closed (which rolls it back). */
    public static final class Held implements AutoCloseable {
        private final Connection connection;
        private final int backend;

        /** Begins it with a statement. */
        public Held(String sql, Object... parameters) {
            try {
                connection = PostgresResource.dataSource().getConnection();
                connection.setAutoCommit(false);
                backend = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
                execute(sql, parameters);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Executes another statement in it. */
        public Held execute(String sql, Object... parameters) {
            try (PreparedStatement statement = prepare(connection, sql, parameters)) {
                statement.execute();
                return this;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Waits until that many other transactions wait for this one, straight or behind each other. */
        public Held awaitBlocked(int transactions) {
            Awaitility.await("transactions that wait for this one")
                    .atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> blocked() >= transactions);
            return this;
        }

        private long blocked() {
            return count("""
                    with recursive waiting(pid) as (
                        select pid from pg_stat_activity where ? = any(pg_blocking_pids(pid))
                        union
                        select a.pid from pg_stat_activity a join waiting w on w.pid = any(pg_blocking_pids(a.pid))
                    ) select count(*) from waiting
                    """, backend);
        }

        /** Commits it: the others go on. */
        public void commit() {
            try {
                connection.commit();
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Rolls it back unless it was committed. */
        @Override
        public void close() {
            try {
                if (!connection.isClosed()) {
                    connection.rollback();
                    connection.close();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static int execute(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            statement.execute();
            return Math.max(statement.getUpdateCount(), 0);
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            Object parameter = parameters[i];
            statement.setObject(
                    i + 1, parameter instanceof Instant instant ? instant.atOffset(ZoneOffset.UTC) : parameter);
        }
        return statement;
    }

    private static Instant instant(ResultSet result, int column) throws SQLException {
        OffsetDateTime time = result.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
