package io.rollcall.resource;

import io.micrometer.core.instrument.MeterRegistry;
import io.rollcall.tx.AfterCommit;
import jakarta.enterprise.context.ApplicationScoped;

/** What resource leases tell the monitoring, once it is committed. */
@ApplicationScoped
class ResourceMeters {
    private final MeterRegistry meters;
    private final AfterCommit afterCommit;

    ResourceMeters(MeterRegistry meters, AfterCommit afterCommit) {
        this.meters = meters;
        this.afterCommit = afterCommit;
    }

    /** One more of {@code acquired}, {@code renewed}, {@code released}, {@code forced}. */
    void count(String event) {
        count(event, "none");
    }

    /** One was reclaimed. */
    void countReclaimed(WhyFree why) {
        count("reclaimed", why.wireName());
    }

    private void count(String event, String reason) {
        afterCommit.run(() -> meters.counter("rollcall_resource_leases", "event", event, "reason", reason)
                .increment());
    }
}
