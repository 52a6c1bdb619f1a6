package io.rollcall.delegation;

import static io.rollcall.delegation.DelegationStatus.COMPLETED;
import static io.rollcall.delegation.DelegationStatus.FAILED;
import static io.rollcall.delegation.DelegationStatus.QUEUED;
import static io.rollcall.delegation.DelegationStatus.STUCK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.lease.LeaseRepository;
import io.rollcall.liveness.AttemptLivenessRepository;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which indexes the statements use where 200,000 delegations lie in the ledger. The database draws its statistics of labels
 * from 300,000 rows, so those of this table are no matter of luck.
 */
@QuarkusTest
class QueryPlanTest {
    private static final int LIMIT = 50;

    private static final String ROWS_READ = "seq_tup_read + coalesce(idx_tup_fetch, 0)";

    /** 16,000 in flight or stuck, 16,000 queued, the rest over; 41 queues, 499 agents, 199 callers, 997 teams. */
    private static final String FILL = """
            insert into delegation
                (id, version, status, reason, cause, caller, agent, queue, task, priority, labels, recovery, epoch,
                 requeue_count, max_requeues, created_at, updated_at, finished_at, deadline_at, available_at, due_at)
            select gen_random_uuid(), 1, r.status,
                   case when r.open and r.status <> 'stuck' then null when r.status = 'failed' then 'deadline_exceeded'
                        when r.status = 'stuck' then 'heartbeat_stale' else 'operator' end,
                   case when r.status = 'stuck' then 'heartbeat_stale' end,
                   'plan-caller-' || r.i %% 37, case when r.status = 'queued' then null else 'plan-agent-' || r.i %% 31 end,
                   'plan-queue-' || r.i %% 41, 'task', r.i %% 10, jsonb_build_object('team', 'team-' || r.i %% 997),
                   'requeue', case when r.status = 'queued' then 0 else 1 end, 0, 3,
                   r.created_at, r.created_at + (r.i * 31 %% 3600) * interval '1 second',
                   case when r.open then null else r.created_at + interval '1 hour' end,
                   r.deadline_at, case when r.status = 'queued' then r.created_at end,
                   case when r.open then r.deadline_at end
            from (
                select i, s.status, s.status in ('queued', 'dispatched', 'in_progress', 'stuck') as open,
                       now() - interval '1 hour' - i * interval '10 seconds' as created_at,
                       now() + ((i * 7) %% 500000 - 500) * interval '1 second' as deadline_at
                from generate_series(1, %d) as i
                cross join lateral (select i * 7919 %% 1000 as n) h
                cross join lateral (select case
                    when h.n < 740 then 'completed' when h.n < 830 then 'failed' when h.n < 840 then 'cancelled'
                    when h.n < 920 then 'queued' when h.n < 970 then 'in_progress' when h.n < 990 then 'dispatched'
                    else 'stuck' end as status) s) r
            """.formatted(200_000);

    private static final String FILL_LEASES = """
            insert into lease (delegation_id, epoch, acquired_at, last_beat_at, stale_at, lease_us, sole, holder, stuck)
            select id, epoch, created_at, now(), now() + interval '10 minutes', 600000000, false, agent,
                   status = 'stuck'
            from delegation where status in ('dispatched', 'in_progress', 'stuck') and caller like 'plan-caller-%'
            """;

    private static final String FILL_EVENTS = """
            insert into delegation_event (delegation_id, seq, at, kind, to_status, actor)
            select id, 1, created_at, 'registered', status, 'caller:plan' from delegation
            where status in ('stuck', 'in_progress') and caller like 'plan-caller-%'
            """;

    @Inject
    DelegationListing listing;

    @Inject
    DelegationRepository delegations;

    @Inject
    EventRepository events;

    @Inject
    LeaseRepository leases;

    @Inject
    AttemptLivenessRepository attempts;

    @Inject
    StatsRepository stats;

    @Inject
    EntityManager entities;

    @Inject
    ObjectMapper json;

    @BeforeAll
    static void fill() {
        TestSql.execute(FILL);
        TestSql.execute(FILL_LEASES);
        TestSql.execute(FILL_EVENTS);
        // Here commits do not wait for the disk, and until they are on it no page counts as visible to all.
        TestSql.execute("checkpoint");
        TestSql.execute("vacuum analyze delegation");
        TestSql.execute("vacuum analyze lease");
        TestSql.execute("vacuum analyze delegation_event");
    }

    @AfterAll
    static void empty() {
        TestSql.execute("truncate delegation cascade");
        TestSql.execute("vacuum analyze delegation");
        TestSql.execute("vacuum analyze lease");
        TestSql.execute("vacuum analyze delegation_event");
    }

    private static Stream<Arguments> pagesInTheOrderOfAnIndex() {
        return Stream.of(
                Arguments.of("everything", DelegationFilter.ALL, DelegationSort.NEWEST, "delegation_by_creation"),
                Arguments.of("everything", DelegationFilter.ALL, DelegationSort.OLDEST, "delegation_by_creation"),
                Arguments.of("everything", DelegationFilter.ALL, DelegationSort.LAST_CHANGED, "delegation_by_change"),
                Arguments.of("everything", DelegationFilter.ALL, DelegationSort.DEADLINE, "delegation_by_deadline"),
                Arguments.of("one status", status(COMPLETED), DelegationSort.NEWEST, "delegation_by_creation"),
                Arguments.of("one status", status(STUCK), DelegationSort.NEWEST, "delegation_by_creation"),
                Arguments.of("one status", status(QUEUED), DelegationSort.OLDEST, "delegation_by_creation"),
                Arguments.of("one status", status(FAILED), DelegationSort.LAST_CHANGED, "delegation_by_change"),
                Arguments.of("one status", status(COMPLETED), DelegationSort.DEADLINE, "delegation_by_deadline"),
                Arguments.of(
                        "two statuses", status(STUCK, FAILED), DelegationSort.LAST_CHANGED, "delegation_by_change"),
                Arguments.of("a queue", of("queue", "plan-queue-7"), DelegationSort.NEWEST, "delegation_by_queue"),
                Arguments.of("a queue", of("queue", "plan-queue-7"), DelegationSort.OLDEST, "delegation_by_queue"),
                Arguments.of("an agent", of("agent", "plan-agent-7"), DelegationSort.NEWEST, "delegation_by_agent"),
                Arguments.of("a caller", of("caller", "plan-caller-7"), DelegationSort.NEWEST, "delegation_by_caller"));
    }

    @ParameterizedTest(name = "{0}, {2}: {3}")
    @MethodSource("pagesInTheOrderOfAnIndex")
    void aPageReadsNoMoreOfAnIndexThanItNeeds(String what, DelegationFilter filter, DelegationSort sort, String index) {
        int statuses = filter.statuses().isEmpty()
                ? DelegationStatus.values().length
                : filter.statuses().size();

        Plan first = planOf(filter, sort, null);
        Plan second = planOf(filter, sort, positionAfterFirstPage(filter, sort));

        for (Plan plan : List.of(first, second)) {
            assertEquals(Set.of(index), plan.indexesOf("delegation"), plan::toString);
            assertFalse(plan.scans("delegation"), plan::toString);
            assertTrue(plan.rowsReadOf("delegation") <= (long) statuses * LIMIT, plan::toString);
        }
    }

    private static Stream<Arguments> otherPages() {
        return Stream.of(
                        of("queue", "plan-queue-7"),
                        of("agent", "plan-agent-7"),
                        of("caller", "plan-caller-7"),
                        of("label", "team-7"),
                        of("label", "nobody"),
                        of("agent", "nobody"))
                .flatMap(filter -> Arrays.stream(DelegationSort.values()).map(sort -> Arguments.of(filter, sort)));
    }

    @ParameterizedTest
    @MethodSource("otherPages")
    void aPageOfAnyDocumentedFilterAndSortUsesAnIndex(DelegationFilter filter, DelegationSort sort) {
        Plan plan = planOf(filter, sort, null);

        assertFalse(plan.scans("delegation"), plan::toString);
        assertFalse(plan.indexesOf("delegation").isEmpty(), plan::toString);
    }

    private static Stream<DelegationFilter> filtersWithoutAnIndexOfTheirOwn() {
        Instant weekAgo = Instant.now().minus(Duration.ofDays(7));
        return Stream.of(
                new DelegationFilter(Set.of(), "heartbeat_stale", null, null, null, null, null, null, null, null, null),
                new DelegationFilter(Set.of(), null, "heartbeat_stale", null, null, null, null, null, null, null, null),
                new DelegationFilter(Set.of(), null, null, null, null, null, null, true, null, null, null),
                new DelegationFilter(Set.of(), null, null, null, null, null, null, null, true, null, null),
                new DelegationFilter(Set.of(), null, null, null, null, null, null, null, null, weekAgo, null),
                new DelegationFilter(Set.of(), null, null, null, null, null, null, null, null, null, weekAgo));
    }

    @ParameterizedTest
    @MethodSource("filtersWithoutAnIndexOfTheirOwn")
    void aPageOfAnyOtherFilterFollowsTheIndexOfItsSort(DelegationFilter filter) {
        for (DelegationSort sort : DelegationSort.values()) {
            Plan plan = planOf(filter, sort, null);

            assertFalse(plan.scans("delegation"), plan::toString);
        }
    }

    /** Whatever sample of the rows the database has drawn. */
    @RepeatedTest(3)
    void aLabelIsFoundByItsIndex() {
        TestSql.execute("analyze delegation");

        for (String team : List.of("team-7", "team-500", "team-996")) {
            Plan plan = planOf(of("label", team), DelegationSort.NEWEST, null);

            assertTrue(plan.indexesOf("delegation").contains("delegation_labels"), plan::toString);
        }
    }

    @Test
    void theStatisticsAreCountedInIndexes() {
        Plan neverBeat = planOf(StatsRepository.NEVER_BEAT, Map.of());
        Map<String, Long> scans = scansDuring(stats::count);

        assertTrue(neverBeat.readsOnlyIndexesOf("delegation"), neverBeat::toString);
        assertEquals(0, scans.get("delegation"));
    }

    @Test
    void whoeverCannotBeAskedIsNotLookedForAmongTheLeases() {
        Map<String, Long> read = countsDuring(ROWS_READ, () -> attempts.findSilent(null, 500));

        assertTrue(read.get("lease") <= 500, read::toString);
    }

    /** After some executions the database may take a plan that does not know the parameters: it must use indexes too. */
    @ParameterizedTest
    @EnumSource(DelegationSort.class)
    void aPageThatIsReadOftenStillUsesAnIndex(DelegationSort sort) {
        List<DelegationFilter> filters = List.of(
                DelegationFilter.ALL,
                status(STUCK, FAILED),
                of("queue", "plan-queue-7"),
                of("agent", "plan-agent-7"),
                of("caller", "plan-caller-7"),
                of("label", "team-7"));

        for (DelegationFilter filter : filters) {
            Map<String, Long> scans = scansDuring(() -> {
                for (int i = 0; i < 15; i++) {
                    listing.page(filter, sort, null, LIMIT);
                }
            });

            assertEquals(0, scans.get("delegation"), () -> "scanned by " + filter);
        }
    }

    @Test
    void whatIsDueIsFoundByItsIndex() {
        Plan first = planOf(
                DelegationRepository.DUE, Map.of("afterDue", Instant.EPOCH, "afterId", new UUID(0, 0), "limit", 500));

        assertEquals(Set.of("delegation_due"), first.indexesOf("delegation"), first::toString);
        assertFalse(first.scans("delegation"), first::toString);
        assertTrue(first.rowsReadOf("delegation") <= 501, first::toString);
    }

    @Test
    void theLeasesAreTheOnlyTableThatIsScanned() {
        List<UUID> inFlight = ids("select delegation_id from lease limit 500");
        UUID one = inFlight.get(0);
        // A small table may be scanned whatever indexes it has.
        Set<String> large = Set.of("delegation", "delegation_event", "lease");

        Map<String, Long> byIds = scansDuring(() -> {
            delegations.get(one);
            delegations.findAllById(inFlight);
            delegations.lockFree(inFlight);
            delegations.lockAll(inFlight);
            delegations.lockRow(one);
            delegations.countLateReport(one);
            delegations.findSuccessors(inFlight);
            delegations.findByIdempotencyKey("plan-caller-7", "key");
            delegations.findDue(new DueDelegation(Instant.EPOCH, new UUID(0, 0)), 500);
            events.page(one, 0, 50);
            events.hasLateReport(one, "hash");
            events.findClaimant(one, 1);
            leases.find(one);
            leases.findAll(inFlight);
            leases.lockAll(inFlight);
            leases.begin(one, 1);
        });
        Map<String, Long> ofSweeper = scansDuring(() -> {
            leases.scan();
            leases.findStale(new UUID(0, 0), 500, false);
        });

        assertEquals(Map.of("delegation", 0L, "delegation_event", 0L, "lease", 0L), only(large, byIds));
        assertEquals(0, ofSweeper.get("delegation"));
        assertTrue(ofSweeper.get("lease") >= 1, "the sweep looks for stale leases by scanning them all");
    }

    private static Map<String, Long> only(Set<String> tables, Map<String, Long> scans) {
        return scans.entrySet().stream()
                .filter(entry -> tables.contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static List<UUID> ids(String sql) {
        return TestSql.rows(sql).stream()
                .map(row -> (UUID) row.values().iterator().next())
                .toList();
    }

    private PagePosition positionAfterFirstPage(DelegationFilter filter, DelegationSort sort) {
        List<PagePosition> page = QuarkusTransaction.requiringNew().call(() -> listing.page(filter, sort, null, LIMIT));
        assertEquals(LIMIT, page.size());
        return page.get(LIMIT - 1);
    }

    private Plan planOf(DelegationFilter filter, DelegationSort sort, @Nullable PagePosition after) {
        DelegationListing.Select select = listing.select(filter, sort, after, LIMIT);
        return planOf(select.sql(), select.parameters());
    }

    /** What the database does for a statement with these values, and how much of it. */
    private Plan planOf(String sql, Map<String, Object> parameters) {
        String plan = QuarkusTransaction.requiringNew().call(() -> {
            NativeQuery<String> query = entities.unwrap(Session.class)
                    .createNativeQuery("explain (analyze, timing off, format json) " + sql, String.class)
                    .addScalar("QUERY PLAN", String.class);
            parameters.forEach(query::setParameter);
            return query.getSingleResult();
        });
        try {
            return new Plan(json.readTree(plan).get(0).get("Plan"));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How often each table was scanned from end to end by what one transaction does; it is rolled back. */
    private Map<String, Long> scansDuring(Runnable work) {
        return countsDuring("seq_scan", work);
    }

    /** The same for anything that the database counts for each table. */
    private Map<String, Long> countsDuring(String what, Runnable work) {
        Map<String, Long> counts = new TreeMap<>();
        QuarkusTransaction.begin();
        try {
            Map<String, Long> before = countsSoFar(what);
            work.run();
            countsSoFar(what).forEach((table, count) -> counts.put(table, count - before.get(table)));
        } finally {
            QuarkusTransaction.rollback();
        }
        return counts;
    }

    private Map<String, Long> countsSoFar(String what) {
        Map<String, Long> counts = new HashMap<>();
        entities.unwrap(Session.class)
                .createNativeQuery("select relname, " + what + " as n from pg_stat_xact_user_tables", Object[].class)
                .addScalar("relname", String.class)
                .addScalar("n", Long.class)
                .getResultList()
                .forEach(row -> counts.put((String) row[0], (Long) row[1]));
        return counts;
    }

    private static DelegationFilter status(DelegationStatus... statuses) {
        return new DelegationFilter(Set.of(statuses), null, null, null, null, null, null, null, null, null, null);
    }

    private static DelegationFilter of(String name, String value) {
        return new DelegationFilter(
                Set.of(),
                null,
                null,
                name.equals("queue") ? value : null,
                name.equals("agent") ? value : null,
                name.equals("caller") ? value : null,
                name.equals("label") ? new DelegationFilter.Label("team", value) : null,
                null,
                null,
                null,
                null);
    }

    /**
     * A plan as the database explains it.
     *
     * @param root its topmost node
     */
    private record Plan(JsonNode root) {
        /** Whether it reads a table from end to end. */
        boolean scans(String table) {
            return nodes().stream()
                    .anyMatch(node -> node.path("Node Type").asText().equals("Seq Scan")
                            && node.path("Relation Name").asText().equals(table));
        }

        /** Whether all that it reads of a table are indexes that hold the answer themselves. */
        boolean readsOnlyIndexesOf(String table) {
            return nodes().stream()
                    .filter(node -> node.path("Relation Name").asText().equals(table))
                    .allMatch(node -> node.path("Node Type").asText().equals("Index Only Scan"));
        }

        /** The indexes of a table that it reads, also those that only make up a bitmap. */
        Set<String> indexesOf(String table) {
            return nodes().stream()
                    .map(node -> node.path("Index Name").asText())
                    .filter(name -> name.startsWith(table))
                    .collect(Collectors.toSet());
        }

        /** How many rows of a table it looks at, those that a filter throws away included. */
        long rowsReadOf(String table) {
            return nodes().stream()
                    .filter(node -> node.path("Relation Name").asText().equals(table))
                    .mapToLong(node -> Math.round((node.path("Actual Rows").asDouble()
                                    + node.path("Rows Removed by Filter").asDouble())
                            * node.path("Actual Loops").asDouble()))
                    .sum();
        }

        private List<JsonNode> nodes() {
            List<JsonNode> nodes = new ArrayList<>(List.of(root));
            for (int i = 0; i < nodes.size(); i++) {
                nodes.get(i).path("Plans").forEach(nodes::add);
            }
            return nodes;
        }

        @Override
        public String toString() {
            return root.toPrettyString();
        }
    }
}
