package io.rollcall.delegation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.lease.Beat;
import io.rollcall.lease.BeatRepository;
import io.rollcall.lease.SelfDescription;
import io.rollcall.testing.PostgresResource;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.util.PSQLException;

@QuarkusTest
class SchemaTest {
    private static final Pattern WORD = Pattern.compile("'([a-z_]+)'::text");

    @Inject
    BeatRepository beats;

    @Inject
    EntityManager entities;

    @Test
    void theStatusesOfTheDatabaseAreThoseOfTheEnum() {
        assertEquals(words(status -> true), wordsOf("delegation_status_check"));
    }

    @Test
    void theKindsOfEventsAreThoseOfTheEnum() {
        assertEquals(
                Arrays.stream(EventKind.values()).map(EventKind::wireName).collect(Collectors.toSet()),
                wordsOf("delegation_event_kind_check"));
    }

    @Test
    void theRecoveriesAreThoseOfTheEnum() {
        assertEquals(
                Arrays.stream(Recovery.values()).map(Recovery::wireName).collect(Collectors.toSet()),
                wordsOf("delegation_recovery_check"));
    }

    @Test
    void everyListOfStatusesInAConstraintIsASetOfTheEnum() {
        Predicate<DelegationStatus> reasoned = status -> status.isFinal() || status == DelegationStatus.STUCK;
        Map<String, Set<String>> expected = Map.of(
                "delegation_status_check", words(status -> true),
                "delegation_reason_when_ended", words(reasoned),
                "delegation_finished_when_final", words(DelegationStatus::isFinal),
                "delegation_due_while_open", words(DelegationStatus::isFinal),
                "delegation_epoch_when_held", words(DelegationStatus::holdsLease),
                "delegation_queued_has_queue", words(status -> status == DelegationStatus.QUEUED));

        Map<String, Set<String>> actual = new TreeMap<>();
        TestSql.rows("""
                        select conname, pg_get_constraintdef(oid) as def from pg_constraint
                        where conrelid = 'delegation'::regclass and contype = 'c'
                          and pg_get_constraintdef(oid) like '%status%'
                        """).forEach(row -> actual.put((String) row.get("conname"), wordsIn((String) row.get("def"))));

        assertEquals(new TreeMap<>(expected), actual);
    }

    @Test
    void everyListOfStatusesInAnIndexIsASetOfTheEnum() {
        Map<String, Set<String>> expected =
                Map.of("delegation_claimable", words(status -> status == DelegationStatus.QUEUED));

        Map<String, Set<String>> actual = new TreeMap<>();
        TestSql.rows("""
                        select indexrelid::regclass::text as name, pg_get_expr(indpred, indrelid) as predicate
                        from pg_index where indrelid = 'delegation'::regclass and indpred is not null
                        """).forEach(row -> {
            Set<String> words = wordsIn((String) row.get("predicate"));
            if (!words.isEmpty()) {
                actual.put((String) row.get("name"), words);
            }
        });

        assertEquals(expected, actual);
    }

    @ParameterizedTest
    @EnumSource
    void takesADelegationOfEveryStatus(DelegationStatus status) {
        assertEquals(Optional.empty(), refusalOf(delegation(status, Map.of())));
    }

    @ParameterizedTest
    @EnumSource
    void aReasonStandsExactlyWhereItIsOverOrStuck(DelegationStatus status) {
        boolean reasoned = status.isFinal() || status == DelegationStatus.STUCK;

        assertEquals(
                Optional.of("delegation_reason_when_ended"),
                refusalOf(delegation(status, with("reason", reasoned ? null : "operator"))));
    }

    @ParameterizedTest
    @EnumSource
    void anEndStandsExactlyWhereItIsOver(DelegationStatus status) {
        assertEquals(
                Optional.of("delegation_finished_when_final"),
                refusalOf(delegation(status, with("finished_at", status.isFinal() ? null : "2026-03-01T10:00:00Z"))));
    }

    @ParameterizedTest
    @EnumSource
    void aDueTimeStandsExactlyWhereItIsOpen(DelegationStatus status) {
        assertEquals(
                Optional.of("delegation_due_while_open"),
                refusalOf(delegation(status, with("due_at", status.isFinal() ? "2026-03-01T10:00:00Z" : null))));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsHeldHasAnEpoch(DelegationStatus status) {
        assertEquals(
                status.holdsLease() ? Optional.of("delegation_epoch_when_held") : Optional.empty(),
                refusalOf(delegation(status, with("epoch", 0))));
    }

    @ParameterizedTest
    @EnumSource
    void whatWaitsHasAQueueAndATime(DelegationStatus status) {
        Optional<String> refusal =
                status == DelegationStatus.QUEUED ? Optional.of("delegation_queued_has_queue") : Optional.empty();

        assertEquals(refusal, refusalOf(delegation(status, with("queue", null))));
        assertEquals(refusal, refusalOf(delegation(status, with("available_at", null))));
    }

    @ParameterizedTest(name = "delegation.{0} = {1}: {2}")
    @CsvSource(
            nullValues = "NULL",
            value = {
                "status, forgotten, delegation_status_check",
                "status, Queued, delegation_status_check",
                "recovery, hope, delegation_recovery_check",
                "task, '', delegation_task_check",
                "priority, -1, delegation_priority_check",
                "priority, 10, delegation_priority_check",
                "labels, '[]', delegation_labels_check",
                "labels, '\"x\"', delegation_labels_check",
                "epoch, -1, delegation_epoch_check",
                "requeue_count, -1, delegation_requeue_count_check",
                "requeue_count, 4, delegation_budget",
                "max_requeues, 101, delegation_max_requeues_check",
                "updated_at, 2026-02-28T10:00:00Z, delegation_check",
                "heartbeat_timeout_us, 0, delegation_heartbeat_timeout_us_check",
                "queue_timeout_us, 0, delegation_queue_timeout_us_check",
                "max_running_us, 0, delegation_max_running_us_check"
            })
    void refusesADelegationThatCannotBe(String column, String value, String constraint) {
        assertEquals(Optional.of(constraint), refusalOf(delegation(DelegationStatus.IN_PROGRESS, with(column, value))));
    }

    @Test
    void refusesATaskOfMoreThanAThousandCharacters() {
        assertEquals(
                Optional.empty(), refusalOf(delegation(DelegationStatus.DISPATCHED, with("task", "ä".repeat(1_000)))));
        assertEquals(
                Optional.of("delegation_task_check"),
                refusalOf(delegation(DelegationStatus.DISPATCHED, with("task", "ä".repeat(1_001)))));
    }

    @Test
    void refusesADelegationWithoutAgentAndQueue() {
        Map<String, @Nullable Object> nobody = with("agent", null);
        nobody.put("queue", null);

        assertEquals(
                Optional.of("delegation_direct_or_queued"), refusalOf(delegation(DelegationStatus.COMPLETED, nobody)));
    }

    @Test
    void refusesADelegationThatSucceedsItself() {
        Map<String, @Nullable Object> delegation = delegation(DelegationStatus.DISPATCHED, Map.of());
        delegation.put("retry_of", delegation.get("id"));

        assertEquals(Optional.of("delegation_own_successor"), refusalOf(delegation));
    }

    @ParameterizedTest(name = "lease.{0} = {1}: {2}")
    @CsvSource(
            nullValues = "NULL",
            value = {
                "epoch, 0, lease_epoch_check",
                "lease_us, 0, lease_lease_us_check",
                "progress, -0.1, lease_progress_check",
                "progress, 1.1, lease_progress_check",
                "progress, NaN, lease_progress_check",
                "stale_at, NULL, lease_beat_makes_stale",
                "last_beat_at, NULL, lease_beat_makes_stale"
            })
    void refusesALeaseThatCannotBe(String column, @Nullable String value, String constraint) {
        assertEquals(Optional.of(constraint), refusalOfLease(with(column, value)));
    }

    @Test
    void refusesANoteOfMoreThanTwoHundredCharacters() {
        assertEquals(Optional.empty(), refusalOfLease(with("note", "ä".repeat(200))));
        assertEquals(Optional.of("lease_note_check"), refusalOfLease(with("note", "ä".repeat(201))));
    }

    @Test
    void theLeaseIsHalfFilledAndHasNoIndexButItsKey() {
        assertEquals(
                List.of("lease_pkey"),
                TestSql.rows("select indexname from pg_indexes where tablename = 'lease'").stream()
                        .map(row -> row.get("indexname"))
                        .toList());
        assertTrue(TestSql.value(String.class, "select reloptions::text from pg_class where oid = 'lease'::regclass")
                .contains("fillfactor=50"));
    }

    @Test
    void heartbeatsAreHeapOnlyUpdates() throws SQLException {
        // given 200 leases
        List<UUID> ids = Stream.generate(UUID::randomUUID).limit(200).toList();
        try (Connection connection = PostgresResource.dataSource().getConnection()) {
            for (UUID id : ids) {
                insert(connection, "delegation", delegation(DelegationStatus.IN_PROGRESS, with("id", id)));
                insert(connection, "lease", lease(id, Map.of()));
            }
        }

        // when each is renewed five times, with all that a beat can bring
        long updates = 0;
        long heapOnly = 0;
        for (int round = 0; round < 5; round++) {
            double progress = round / 10.0;
            long[] counts = QuarkusTransaction.requiringNew().call(() -> {
                long[] before = updatesOfLease();
                ids.forEach(id ->
                        beats.renew(new Beat(id, 1L, progress, "note " + progress, true, null, SelfDescription.NONE)));
                long[] after = updatesOfLease();
                return new long[] {after[0] - before[0], after[1] - before[1]};
            });
            updates += counts[0];
            heapOnly += counts[1];
        }

        // then no index was touched, save where a page had filled up for a moment: the first beats make rows longer
        assertEquals(1_000, updates);
        assertTrue(heapOnly >= 950, "only " + heapOnly + " of " + updates + " were heap-only");
        TestSql.execute("delete from delegation where caller = 'schema-test'");
    }

    /** Updates, and heap-only ones among them, that this connection has not handed to the statistics yet. */
    private long[] updatesOfLease() {
        Object[] counts = (Object[]) entities.createNativeQuery(
                        "select n_tup_upd, n_tup_hot_upd from pg_stat_xact_user_tables where relname = 'lease'")
                .getSingleResult();
        return new long[] {((Number) counts[0]).longValue(), ((Number) counts[1]).longValue()};
    }

    private static Set<String> words(Predicate<DelegationStatus> statuses) {
        return Arrays.stream(DelegationStatus.values())
                .filter(statuses)
                .map(DelegationStatus::wireName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> wordsOf(String constraint) {
        return wordsIn(Objects.requireNonNull(TestSql.value(
                String.class, "select pg_get_constraintdef(oid) from pg_constraint where conname = ?", constraint)));
    }

    private static Set<String> wordsIn(String expression) {
        return WORD.matcher(expression)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A row of that status which the database takes, with some columns changed. */
    private static Map<String, @Nullable Object> delegation(
            DelegationStatus status, Map<String, ? extends @Nullable Object> changes) {
        boolean reasoned = status.isFinal() || status == DelegationStatus.STUCK;
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", UUID.randomUUID());
        row.put("version", 0);
        row.put("status", status.wireName());
        row.put("reason", reasoned ? "operator" : null);
        row.put("caller", "schema-test");
        row.put("agent", "a-1");
        row.put("queue", "schema-test");
        row.put("task", "task");
        row.put("priority", 5);
        row.put("labels", "{}");
        row.put("recovery", "requeue");
        row.put("epoch", 1);
        row.put("requeue_count", 0);
        row.put("max_requeues", 3);
        row.put("created_at", "2026-03-01T10:00:00Z");
        row.put("updated_at", "2026-03-01T10:00:00Z");
        row.put("available_at", "2026-03-01T10:00:00Z");
        row.put("deadline_at", "2126-03-01T16:00:00Z");
        row.put("finished_at", status.isFinal() ? "2026-03-01T10:00:00Z" : null);
        row.put("due_at", status.isFinal() ? null : "2126-03-01T16:00:00Z");
        row.putAll(changes);
        return row;
    }

    private static Map<String, @Nullable Object> lease(
            UUID delegationId, Map<String, ? extends @Nullable Object> changes) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("delegation_id", delegationId);
        row.put("epoch", 1);
        row.put("acquired_at", "2026-03-01T10:00:00Z");
        row.put("last_beat_at", "2026-03-01T10:00:00Z");
        row.put("stale_at", "2126-03-01T10:10:00Z");
        row.put("lease_us", 600_000_000);
        row.put("sole", false);
        row.put("begun", true);
        row.put("holder", "a-1");
        row.putAll(changes);
        return row;
    }

    private static Map<String, @Nullable Object> with(String column, @Nullable Object value) {
        Map<String, @Nullable Object> change = new LinkedHashMap<>();
        change.put(column, value);
        return change;
    }

    /** Which constraint refuses the row; empty if none does. Leaves nothing behind. */
    private static Optional<String> refusalOf(Map<String, @Nullable Object> delegation) {
        return refused(connection -> insert(connection, "delegation", delegation));
    }

    private static Optional<String> refusalOfLease(Map<String, @Nullable Object> changes) {
        Map<String, @Nullable Object> delegation = delegation(DelegationStatus.IN_PROGRESS, Map.of());
        return refused(connection -> {
            insert(connection, "delegation", delegation);
            insert(connection, "lease", lease((UUID) Objects.requireNonNull(delegation.get("id")), changes));
        });
    }

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private static Optional<String> refused(Work work) {
        try (Connection connection = PostgresResource.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.on(connection);
                return Optional.empty();
            } catch (PSQLException e) {
                return Optional.of(String.valueOf(
                        Objects.requireNonNull(e.getServerErrorMessage()).getConstraint()));
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** All values as text without a type, so that the database makes of each what its column needs. */
    private static void insert(Connection connection, String table, Map<String, @Nullable Object> row)
            throws SQLException {
        String sql = "insert into %s (%s) values (%s)"
                .formatted(
                        table,
                        String.join(", ", row.keySet()),
                        row.keySet().stream().map(column -> "?").collect(Collectors.joining(", ")));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int i = 1;
            for (Object value : row.values()) {
                statement.setObject(i++, value == null ? null : value.toString(), Types.OTHER);
            }
            statement.executeUpdate();
        }
    }
}
