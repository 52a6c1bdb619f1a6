package io.rollcall.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a queue. A change touches only what is registered or claimed afterwards.
 *
 * @param name of the queue
 * @param paused whether nothing is handed out; what is in flight goes on
 * @param maxInFlight how many of its delegations may be in flight at once; null: any number
 * @param heartbeatTimeout lease time of those that name none; null: that of the settings
 * @param deadline how long after registration those are given up that name none; null: that of the settings
 * @param maxRequeues budget of those that name none, 0 to 100; null: that of the settings
 * @param maxRunning how long one attempt of those may last that name no limit; null: that of the settings
 * @param queueTimeout how long those may wait that name no limit; null: until their deadline
 * @param backoffBase the wait before the first requeue after a reported failure; null: that of the settings
 * @param backoffCap the longest such wait; null: that of the settings
 * @param gate who is asked, for those that name no gate, whether work reported as successful counts, as JSON; null: nobody
 * @param retention how long final ones are kept; null: that of the settings
 */
public record QueueSettings(
        String name,
        boolean paused,
        @Nullable Integer maxInFlight,
        @Nullable Duration heartbeatTimeout,
        @Nullable Duration deadline,
        @Nullable Integer maxRequeues,
        @Nullable Duration maxRunning,
        @Nullable Duration queueTimeout,
        @Nullable Duration backoffBase,
        @Nullable Duration backoffCap,
        @Nullable String gate,
        @Nullable Duration retention) {

    /** A queue that was never set up. */
    public static QueueSettings unset(String name) {
        return new QueueSettings(name, false, null, null, null, null, null, null, null, null, null, null);
    }
}
