package io.rollcall.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.testing.TestSql;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a claim costs where a great many wait. */
@QuarkusTest
class ClaimPlanTest {
    @Test
    void aClaimReadsOnlyWhatItHandsOutHoweverManyWaitAndAreDelayed() {
        TestSql.execute("""
                insert into delegation (id, version, status, caller, queue, task, priority, labels, recovery, epoch,
                    requeue_count, max_requeues, created_at, updated_at, deadline_at, available_at, due_at)
                select gen_random_uuid(), 0, 'queued', 'plan', 'plan', 't',
                       case when n <= 50000 then 9 else n %% 9 end, '{}', 'requeue', 0, 0, 3, now(), now(),
                       now() + interval '1 day',
                       case when n <= 50000 then now() + interval '1 hour' else now() - n * interval '1 ms' end,
                       now() + interval '1 day'
                from generate_series(1, 500000) n
                """.replace("%%", "%"));
        try {
            TestSql.execute("analyze delegation");
            String sql = ClaimRepository.LOCK.replace(":queue", "'plan'").replace(":max", "10");
            List<String> plan = TestSql.rows("explain (analyze, buffers, costs off) " + sql).stream()
                    .map(row -> row.values().iterator().next().toString())
                    .toList();
            String text = plan.stream().collect(Collectors.joining("\n"));
            assertTrue(text.contains("delegation_claimable"), text);
            assertFalse(text.contains("Seq Scan on delegation"), text);
            int blocks = plan.stream()
                    .filter(line -> line.strip().startsWith("Buffers: shared"))
                    .findFirst()
                    .map(line -> line.replaceAll(".*hit=(\\d+).*", "$1"))
                    .map(Integer::parseInt)
                    .orElseThrow();
            assertTrue(blocks < 200, "read " + blocks + " blocks for ten rows\n" + text);
            assertEquals(10, TestSql.rows(sql).size());
        } finally {
            TestSql.execute("delete from delegation where caller = 'plan'");
            TestSql.execute("vacuum delegation");
        }
    }
}
