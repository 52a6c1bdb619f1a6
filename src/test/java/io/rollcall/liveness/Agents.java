package io.rollcall.liveness;

import io.rollcall.testing.TestApi;
import io.rollcall.testing.TestDelegation;
import io.rollcall.testing.TestSql;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** Delegations held by agents that said where to find them, and time that passes in the database. */
public final class Agents {
    private Agents() {}

    /** In progress, claimed with that probe, with an hour of lease time, and silent for longer than its agent should be. */
    public static TestDelegation silent(Map<String, Object> probe, Object... namesAndValues) {
        TestApi.Draft draft = TestApi.queued();
        TestApi.body(namesAndValues).forEach(draft::with);
        TestDelegation work = draft.register();
        TestApi.claim(draft.get("queue"), TestApi.unique("agent"), "leaseTime", "PT1H", "probe", probe);
        work.beat("epoch", 1).then().statusCode(200);
        fallSilent(work.id());
        return work;
    }

    /** Its last beat was 21 minutes ago: longer than a third of its hour. */
    public static void fallSilent(UUID id) {
        TestSql.execute(
                "update lease set last_beat_at = now() - interval '21 minutes', stale_at = now() + interval '39 minutes'"
                        + " where delegation_id = ?",
                id);
    }

    /** As if the last dead answer that counted had been that much earlier. */
    public static void letPass(UUID id, Duration time) {
        TestSql.execute(
                "update attempt set dead_counted_at = dead_counted_at - cast(? as interval) where delegation_id = ?",
                time.toString(),
                id);
    }

    /** How often it was found dead in a row, as the database has it. */
    public static int deadCount(UUID id) {
        return (int) TestSql.count("select dead_count from attempt where delegation_id = ?", id);
    }
}
