package io.rollcall.retention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What leaves the ledger, and what never does. */
@QuarkusTest
class RetentionTest {
    @Inject
    Retention retention;

    @Inject
    RetentionRepository repository;

    @BeforeEach
    void emptyLedger() {
        TestSql.emptyLedger();
    }

    @Test
    void onlyWhatEndedLongEnoughAgoIsPurgedWithItsHistory() {
        TestDelegation old = TestApi.direct().register().begun().closed("completed");
        TestDelegation justOver = TestApi.direct().register().closed("failed");
        TestDelegation notYet = TestApi.direct().register().closed("failed");
        TestDelegation oldButOpen = TestApi.direct().register().begun();
        TestSql.age(old.id(), Duration.ofDays(90));
        TestSql.age(oldButOpen.id(), Duration.ofDays(90));
        finishedAgo(justOver.id(), "30 days 1 second");
        finishedAgo(notYet.id(), "29 days 23 hours");

        assertEquals(2, retention.purge());

        assertEquals(404, old.get().statusCode());
        assertEquals(404, justOver.get().statusCode());
        assertEquals("failed", notYet.status());
        assertEquals("in_progress", oldButOpen.status());
        assertEquals(0, TestSql.count("select count(*) from delegation_event where delegation_id = ?", old.id()));
        assertEquals(0, retention.purge());
    }

    @Test
    void aQueueMayKeepItsOwnForAnotherTime() {
        String queue = TestApi.unique("queue");
        TestApi.json()
                .body(Map.of("retention", "PT1H"))
                .put("/v1/queues/" + queue)
                .then()
                .statusCode(200);
        TestDelegation work = TestApi.queued().with("queue", queue).register().closed("cancelled");
        TestDelegation elsewhere = TestApi.queued().register().closed("cancelled");
        finishedAgo(work.id(), "61 minutes");
        finishedAgo(elsewhere.id(), "61 minutes");
        assertEquals(1, retention.purge());
        assertEquals("cancelled", elsewhere.status());
    }

    @Test
    void noTransactionDeletesMoreThanItsChunk() {
        for (int i = 0; i < 5; i++) {
            finishedAgo(TestApi.direct().register().closed("completed").id(), "40 days");
        }
        assertEquals(2, repository.purge(Duration.ofDays(30), 2));
        assertEquals(3, retention.purge());
        assertTrue(Retention.CHUNK <= 1_000);
    }

    private static void finishedAgo(UUID id, String ago) {
        TestSql.execute("update delegation set finished_at = now() - cast(? as interval) where id = ?", ago, id);
    }
}
