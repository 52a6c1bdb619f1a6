package io.rollcall.redrive;

import io.rollcall.delegation.Delegations;
import io.rollcall.delegation.Successors;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** One delegation of a redrive, in one transaction: its successor and the mark that it is done come together or not. */
@ApplicationScoped
class RedriveStep {
    private final RedriveRepository redrives;
    private final Delegations delegations;
    private final Successors successors;

    RedriveStep(RedriveRepository redrives, Delegations delegations, Successors successors) {
        this.redrives = redrives;
        this.delegations = delegations;
        this.successors = successors;
    }

    /** Retries the next one. Returns false where there is none, or another replica is at it. */
    @Transactional(TxType.REQUIRES_NEW)
    boolean next(UUID redriveId) {
        if (!redrives.lockRunning(redriveId)) {
            return false;
        }
        Optional<UUID> next = redrives.next(redriveId);
        if (next.isEmpty()) {
            redrives.finish(redriveId, "done");
            return false;
        }
        UUID id = next.get();
        boolean stillWanted = !delegations.findRetryable(List.of(id)).isEmpty();
        if (stillWanted) {
            successors.retry(id, new Successors.Differences(null, null, null, "redrive " + redriveId));
        }
        redrives.settle(redriveId, id, stillWanted ? "retried" : "skipped");
        return true;
    }
}
