package io.rollcall.tx;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;

/** Runs what must only happen if the running transaction commits: counting, waking others up. */
@ApplicationScoped
public class AfterCommit {
    private final TransactionSynchronizationRegistry transactions;

    AfterCommit(TransactionSynchronizationRegistry transactions) {
        this.transactions = transactions;
    }

    /** Runs an action after the commit of the running transaction, on its thread; never after a rollback. */
    public void run(Runnable action) {
        transactions.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {}

            @Override
            public void afterCompletion(int status) {
                if (status == Status.STATUS_COMMITTED) {
                    action.run();
                }
            }
        });
    }
}
