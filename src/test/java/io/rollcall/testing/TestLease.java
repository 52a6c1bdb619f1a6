package io.rollcall.testing;

import static io.restassured.RestAssured.given;

import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One named lease over HTTP. Further fields of a body are given as names and values in turn.
 *
 * @param name of what it locks
 */
public record TestLease(String name) {
    private static final String PATH = "/v1/leases/{name}";

    /** One that no other test uses. */
    public static TestLease unique() {
        return new TestLease(TestApi.unique("lock"));
    }

    /** Leases go by time again: beats have been accepted for a day, and will be for a minute. */
    public static void timeGoesOn() {
        TestSql.execute("update beat_acceptance set noted_at = now() + interval '1 minute',"
                + " returned_at = now() - interval '1 day'");
    }

    /** A request for it, for ten minutes; whatever the answer. */
    public Response ask(String holder, Object... namesAndValues) {
        Map<String, Object> body = TestApi.body("holder", holder, "ttl", "PT10M");
        body.putAll(TestApi.body(namesAndValues));
        return put(body);
    }

    /** Any body. */
    public Response put(Map<String, Object> body) {
        return TestApi.json().body(body).put(PATH, name);
    }

    /** Acquires it, and that must succeed. Its epoch. */
    public long acquire(String holder, Object... namesAndValues) {
        return ask(holder, namesAndValues)
                .then()
                .statusCode(201)
                .extract()
                .jsonPath()
                .getLong("epoch");
    }

    /** A renewal. */
    public Response renew(String holder, long epoch) {
        return ask(holder, "epoch", epoch);
    }

    /** As it is now. */
    public Response get() {
        return given().get(PATH, name);
    }

    /** Gives it back. */
    public Response release(long epoch) {
        return given().queryParam("epoch", epoch).delete(PATH, name);
    }

    /** Takes it away from whoever holds it. */
    public Response force() {
        return given().queryParam("force", true).delete(PATH, name);
    }

    /** As if its time had been over for a second. */
    public TestLease expired() {
        return expiredFor("1 second");
    }

    /** As if its time had been over for so long. */
    public TestLease expiredFor(String interval) {
        TestSql.execute("""
                update resource_lease set expires_at = now() - i.past,
                    renewed_at = now() - i.past - ttl_us * interval '1 microsecond',
                    acquired_at = now() - i.past - ttl_us * interval '1 microsecond'
                from (select cast(? as interval) as past) i where name = ?
                """, interval, name);
        return this;
    }

    /** Whether a row of it exists, held or free. */
    public boolean hasRow() {
        return TestSql.count("select count(*) from resource_lease where name = ?", name) == 1;
    }

    /** Another transaction, which holds the lock of its row until it ends. */
    public TestSql.Held holdRow() {
        return new TestSql.Held("select name from resource_lease where name = ? for update", name);
    }

    /** Another transaction, which keeps everybody from acquiring it until it ends. */
    public TestSql.Held holdName() {
        return new TestSql.Held("select pg_advisory_xact_lock(hashtextextended('resource ' || ?, 0))", name);
    }

    /** The lines about it in the history of a delegation. */
    public static List<Map<String, Object>> audited(UUID delegationId) {
        return new TestDelegation(delegationId).events("operator");
    }
}
