package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** When ticks do their work. */
@QuarkusTest
class SweepScheduleTest {
    @Inject
    SweepSchedule schedule;

    @Test
    void aTickDoesNothingWhilePausedAndItsWorkAgainAfterwards() {
        TestDelegation late = TestApi.direct().register();
        TestSql.deadlineHasCome(late.id());
        TestApi.post("/v1/sweeper/pause").then().statusCode(200);
        schedule.tick();
        assertEquals("dispatched", late.status());
        TestApi.post("/v1/sweeper/resume").then().statusCode(200);
        schedule.tick();
        assertEquals("failed", late.status());
    }
}
