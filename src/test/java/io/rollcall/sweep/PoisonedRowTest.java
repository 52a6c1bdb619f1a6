package io.rollcall.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One row that the database refuses to write, among two thousand good ones. */
@QuarkusTest
class PoisonedRowTest {
    private static final String PAUSE = "select until - last_at from set_aside where delegation_id = ?";

    @Inject
    Sweeper sweeper;

    private List<UUID> good;
    private UUID bad;

    @BeforeEach
    void startAfresh() {
        Rows.startAfresh();
    }

    @AfterEach
    void healIt() {
        Rows.execute("drop function if exists poison cascade");
        Rows.startAfresh();
    }

    @Test
    void overdueOnesAreHandledInTheSameSweep() {
        oneIsPoisonedOf(2_001);
        Rows.passDeadline(good);
        Rows.passDeadline(List.of(bad));

        SweepReport sweep = sweeper.sweep("tick", false, false);

        assertEquals(2_000, Rows.inStatus(good, "failed"));
        assertEquals("in_progress", Rows.status(bad));
        assertEquals(1, sweep.errors());
        assertEquals(0, sweep.conflicts());
        assertEquals(2_000, sweep.verdicts().get(VerdictName.FAILED));
    }

    @Test
    void silentOnesAreHandledInTheSameSweep() {
        oneIsPoisonedOf(2_001);
        Rows.fallSilent(good);
        Rows.fallSilent(List.of(bad));

        SweepReport sweep = sweeper.sweep("operator", false, true);

        assertEquals(2_000, Rows.inStatus(good, "stuck"));
        assertEquals("in_progress", Rows.status(bad));
        assertEquals(1, sweep.errors());
    }

    @Test
    void isSetAsideWithItsErrorForAPauseThatGrows() {
        // given a sweep that could not write it
        oneIsPoisonedOf(1);
        Rows.passDeadline(List.of(bad));
        assertEquals(1, sweeper.sweep("tick", false, false).errors());
        assertTrue(Rows.text("select error from set_aside where delegation_id = ?", bad)
                .contains("poisoned " + bad));
        assertEquals("00:01:00", Rows.text(PAUSE, bad));

        // when the next comes within the pause, it is left alone
        assertEquals(0, sweeper.sweep("tick", false, false).errors());
        assertEquals(1, failures());

        // and after the pause it is tried again, and left alone for twice as long
        endPause();
        assertEquals(1, sweeper.sweep("tick", false, false).errors());
        assertEquals(2, failures());
        assertEquals("00:02:00", Rows.text(PAUSE, bad));

        // up to an hour
        Rows.execute("update set_aside set failures = 50");
        endPause();
        sweeper.sweep("tick", false, false);
        assertEquals("01:00:00", Rows.text(PAUSE, bad));
    }

    @Test
    void isHandledOnceItIsHealed() {
        oneIsPoisonedOf(1);
        Rows.passDeadline(List.of(bad));
        sweeper.sweep("tick", false, false);
        Rows.execute("drop trigger poison on delegation");
        endPause();

        SweepReport sweep = sweeper.sweep("tick", false, false);

        assertEquals(1, sweep.verdicts().get(VerdictName.FAILED));
        assertEquals("failed", Rows.status(bad));
        assertEquals(0, Rows.number("select count(*) from set_aside"), "nothing is set aside any more");
    }

    @Test
    void aDryRunSetsNothingAside() {
        oneIsPoisonedOf(1);
        Rows.passDeadline(List.of(bad));

        SweepReport sweep = sweeper.sweep("operator", true, false);

        assertEquals(0, sweep.errors());
        assertEquals(1, sweep.verdicts().get(VerdictName.FAILED));
        assertEquals(0, Rows.number("select count(*) from set_aside"));
        assertEquals("in_progress", Rows.status(bad));
    }

    private void oneIsPoisonedOf(int count) {
        List<UUID> all = Rows.running(count);
        bad = all.get(count / 2);
        good = all.stream().filter(id -> !id.equals(bad)).toList();
        Rows.execute("""
                create function poison() returns trigger language plpgsql as
                $$ begin raise exception 'poisoned %', old.id; end $$
                """);
        Rows.execute("""
                create trigger poison before update of status on delegation for each row
                when (old.id = '%s') execute function poison()
                """.formatted(bad));
    }

    private static void endPause() {
        Rows.execute("update set_aside set until = now()");
    }

    private long failures() {
        return Rows.number("select failures from set_aside where delegation_id = ?", bad);
    }
}
