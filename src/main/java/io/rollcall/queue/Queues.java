package io.rollcall.queue;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.tx.AfterCommit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import org.jboss.logging.Logger;

/** Looking at queues and setting them up. */
@ApplicationScoped
public class Queues {
    private static final Logger LOG = Logger.getLogger(Queues.class);

    private final QueueRepository queues;
    private final Waiters waiters;
    private final AfterCommit afterCommit;

    Queues(QueueRepository queues, Waiters waiters, AfterCommit afterCommit) {
        this.queues = queues;
        this.waiters = waiters;
        this.afterCommit = afterCommit;
    }

    /** All that are set up or have delegations, by name. */
    @Transactional
    public List<QueueState> list() {
        return queues.states(null);
    }

    /** One of them; one that was never set up, and has no delegations, is an empty one. */
    @Transactional
    public QueueState get(String name) {
        return queues.states(name).stream()
                .findFirst()
                .orElseGet(() -> new QueueState(QueueSettings.unset(name), 0, 0, null));
    }

    /** Sets one up anew. Once this returns, no claim that it forbids will be answered with work. */
    @Transactional
    public QueueState put(QueueSettings settings) {
        queues.lockExclusively(settings.name());
        queues.put(settings);
        LOG.infof("Queue %s is set up anew: %s", settings.name(), settings);
        afterCommit.run(() -> waiters.wakeAll(settings.name()));
        return get(settings.name());
    }

    /**
     * Forgets the settings of one.
     *
     * @throws RefusedException {@code queue-not-empty} while it has open delegations
     */
    @Transactional
    public void delete(String name) {
        queues.lockExclusively(name);
        if (queues.hasOpen(name)) {
            throw new RefusedException(ErrorCode.QUEUE_NOT_EMPTY, "Queue " + name + " has open delegations.");
        }
        queues.delete(name);
        LOG.infof("Queue %s is not set up any more.", name);
    }
}
