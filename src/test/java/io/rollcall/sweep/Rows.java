package io.rollcall.sweep;

import static io.restassured.RestAssured.given;

import io.restassured.http.ContentType;
import io.rollcall.testing.PostgresResource;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Delegations by the thousand, and time that passes in the database instead of on the wall. */
public final class Rows {
    private static final int BATCH = 1_000;

    private Rows() {}

    /** An empty ledger, no brake, and beats that have been accepted for a day. */
    public static void startAfresh() {
        execute("delete from delegation");
        execute("delete from resource_lease");
        execute("update sweeper_control set paused = false, braking_since = null");
        execute("update beat_acceptance set noted_at = now() + interval '1 minute',"
                + " returned_at = now() - interval '1 day'");
    }

    /** Registers direct ones, never to be requeued, and has their agents begin: their leases are fresh. */
    public static List<UUID> running(int count) {
        return running(count, "none");
    }

    /** The same with another recovery. */
    public static List<UUID> running(int count, String recovery) {
        List<UUID> ids = new ArrayList<>();
        while (ids.size() < count) {
            ids.addAll(register(Math.min(BATCH, count - ids.size()), recovery));
        }
        execute(
                "update delegation set status = 'in_progress', version = version + 1, started_at = now(),"
                        + " created_at = now() - interval '2 hours' where id = any(?)",
                ids);
        execute(
                "update lease set begun = true, acquired_at = now() - interval '2 hours', last_beat_at = now(),"
                        + " stale_at = now() + lease_us * interval '1 microsecond' where delegation_id = any(?)",
                ids);
        return ids;
    }

    /** Registers direct ones whose agents have not beaten yet. */
    public static List<UUID> register(int count, String recovery) {
        List<Map<String, String>> items = IntStream.range(0, count)
                .mapToObj(i -> Map.of(
                        "caller", "tests", "agent", "agent", "queue", "default", "task", "task", "recovery", recovery))
                .toList();
        List<String> ids = given().contentType(ContentType.JSON)
                .body(Map.of("items", items))
                .post("/v1/delegations/batch")
                .then()
                .statusCode(201)
                .extract()
                .path("items.id");
        return ids.stream().map(UUID::fromString).toList();
    }

    /** The last beat of each was two hours ago. */
    public static void fallSilent(Collection<UUID> ids) {
        execute(
                "update lease set last_beat_at = now() - interval '2 hours',"
                        + " stale_at = now() - interval '2 hours' + lease_us * interval '1 microsecond'"
                        + " where delegation_id = any(?)",
                ids);
    }

    /** The deadline of each was a second ago. */
    public static void passDeadline(Collection<UUID> ids) {
        execute(
                "update delegation set deadline_at = now() - interval '1 second', due_at = now() - interval '1 second'"
                        + " where id = any(?)",
                ids);
    }

    /** How many of some delegations stand there. */
    public static long inStatus(Collection<UUID> ids, String status) {
        return number("select count(*) from delegation where status = ? and id = any(?)", status, ids);
    }

    /** The status of one. */
    public static String status(UUID id) {
        return text("select status from delegation where id = ?", id);
    }

    /** The history of one, as {@code kind from to}. */
    public static List<String> history(UUID id) {
        return List.of(text(
                        "select string_agg(concat_ws(' ', kind, from_status, to_status), ';' order by seq)"
                                + " from delegation_event where delegation_id = ?",
                        id)
                .split(";"));
    }

    /** Runs a statement in a transaction of its own. */
    public static int execute(String sql, Object... parameters) {
        try (Connection connection = PostgresResource.dataSource().getConnection();
                PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The one number that a query finds. */
    public static long number(String sql, Object... parameters) {
        return Long.parseLong(text(sql, parameters));
    }

    /** The one value that a query finds. */
    public static String text(String sql, Object... parameters) {
        try (Connection connection = PostgresResource.dataSource().getConnection();
                PreparedStatement statement = prepare(connection, sql, parameters);
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                throw new IllegalStateException("nothing found: " + sql);
            }
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ids are passed as an array of uuid. */
    static PreparedStatement prepare(Connection connection, String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i] instanceof Collection<?> ids) {
                Array array = connection.createArrayOf("uuid", ids.toArray());
                statement.setArray(i + 1, array);
            } else {
                statement.setObject(i + 1, parameters[i]);
            }
        }
        return statement;
    }
}
