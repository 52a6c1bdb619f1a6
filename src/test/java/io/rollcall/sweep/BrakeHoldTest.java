package io.rollcall.sweep;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Mass staleness holds the silence rule back for a while, says so, and stops nothing else. */
@QuarkusTest
class BrakeHoldTest {
    private static final String SINCE = "select braking_since from sweeper_control";

    @Inject
    Sweeper sweeper;

    private List<UUID> silent;

    @BeforeEach
    void thirtyOfFortyFallSilentAtOnce() {
        Rows.startAfresh();
        Rows.running(10);
        silent = Rows.running(30);
        Rows.fallSilent(silent);
    }

    @AfterEach
    void startAfresh() {
        Rows.startAfresh();
    }

    @Test
    void holdsBackAndSaysSo() {
        SweepReport sweep = sweeper.sweep("tick", false, false);

        assertTrue(sweep.braked());
        assertEquals(30, sweep.heldBack());
        assertEquals(0, stuck());
        given().get("/v1/sweeper")
                .then()
                .statusCode(200)
                .body("brake.holding", equalTo(true))
                .body("brake.since", notNullValue())
                .body("reports[0].braked", equalTo(true))
                .body("reports[0].heldBack", equalTo(30));
        given().get("/q/metrics").then().body(containsString("rollcall_braked 1.0"));
    }

    @Test
    void staysOpenBelowTheShareAndBelowTheNumber() {
        // given as many healthy ones as silent ones: the share is not above the ratio
        Rows.running(20);
        SweepReport half = sweeper.sweep("tick", false, false);
        assertFalse(half.braked());
        assertEquals(30, stuck());

        // and given 19 of 19, which is fewer than the least number
        Rows.startAfresh();
        silent = Rows.running(19);
        Rows.fallSilent(silent);
        SweepReport few = sweeper.sweep("tick", false, false);
        assertFalse(few.braked());
        assertEquals(19, stuck());
    }

    @Test
    void theDatabaseKeepsItsStartUntilASweepBeginsWithoutTheCondition() {
        // given a hold
        sweeper.sweep("tick", false, false);
        String since = Rows.text(SINCE);

        // when another sweep, of any replica, holds back as well
        assertTrue(sweeper.sweep("tick", false, false).braked());

        // then the start stays the same
        assertEquals(since, Rows.text(SINCE));

        // and when the agents are heard again the next sweep clears it
        Rows.execute("update lease set last_beat_at = now(), stale_at = now() + interval '10 minutes'");
        assertFalse(sweeper.sweep("tick", false, false).braked());
        assertEquals(null, Rows.text(SINCE));
        given().get("/v1/sweeper").then().body("brake.holding", equalTo(false)).body("brake", not(hasKey("since")));
    }

    @Test
    void letsGoAfterItsLongestHoldAndStaysOpenUntilCleared() {
        // given a hold that has lasted for as long as it may
        sweeper.sweep("tick", false, false);
        Rows.execute("update sweeper_control set braking_since = braking_since - interval '10 minutes'");

        // when the next sweep comes, although the condition is met still
        SweepReport sweep = sweeper.sweep("tick", false, false);

        // then it judges
        assertFalse(sweep.braked());
        assertEquals(0, sweep.heldBack());
        assertEquals(30, stuck());

        // and it judges those as well who fall silent before a sweep has begun without the condition
        String since = Rows.text(SINCE);
        silent = Rows.running(40);
        Rows.fallSilent(silent);
        assertFalse(sweeper.sweep("tick", false, false).braked());
        assertEquals(40, stuck());
        assertEquals(since, Rows.text(SINCE));

        // after one that has, it holds back anew
        assertFalse(sweeper.sweep("tick", false, false).braked());
        assertEquals(null, Rows.text(SINCE));
        silent = Rows.running(30);
        Rows.fallSilent(silent);
        assertTrue(sweeper.sweep("tick", false, false).braked());
        assertEquals(0, stuck());
    }

    @Test
    void anOperatorMayForceIt() {
        sweeper.sweep("tick", false, false);

        given().contentType("application/json")
                .body("{\"force\": true}")
                .post("/v1/sweeper/sweep")
                .then()
                .statusCode(200)
                .body("forced", equalTo(true))
                .body("braked", equalTo(false))
                .body("verdicts.stuck", equalTo(30));

        assertEquals(30, stuck());
    }

    @Test
    void aDryRunSaysWhatItWouldDoAndStartsNoHold() {
        SweepReport dry = sweeper.sweep("operator", true, false);

        assertTrue(dry.braked());
        assertEquals(30, dry.heldBack());
        assertEquals(null, Rows.text(SINCE));

        SweepReport forced = sweeper.sweep("operator", true, true);
        assertEquals(30, forced.verdicts().get(VerdictName.STUCK));
        assertEquals(0, stuck());
    }

    @Test
    void deadlinesAreEnforcedMeanwhile() {
        List<UUID> overdue = silent.subList(0, 5);
        Rows.passDeadline(overdue);

        SweepReport sweep = sweeper.sweep("tick", false, false);

        assertTrue(sweep.braked());
        assertEquals(5, Rows.inStatus(overdue, "failed"));
        assertEquals(0, stuck());
        assertEquals(List.of("registered dispatched", "transition in_progress failed"), Rows.history(overdue.get(0)));
    }

    @Test
    void stuckOnesDoNotCountAgainstThoseInFlight() {
        // given a hundred that are stuck, silent still
        List<UUID> stuck = Rows.running(100);
        Rows.fallSilent(stuck);
        sweeper.sweep("operator", false, true);
        assertEquals(130, Rows.number("select count(*) from delegation where status = 'stuck'"));

        // when 19 of 30 are silent
        silent = Rows.running(19);
        Rows.fallSilent(silent);

        // then the brake sees 19, not 149
        assertFalse(sweeper.sweep("tick", false, false).braked());
        assertEquals(19, stuck());
    }

    private long stuck() {
        return Rows.inStatus(silent, "stuck");
    }
}
