package io.rollcall.health;

import io.rollcall.sweep.SweepStatus;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * Readiness: whether the ledger can be read, with what operators should know: the brake, the pause, and when the service
 * last came back from an outage.
 */
@Readiness
class LedgerReady implements HealthCheck {
    private static final Logger LOG = Logger.getLogger(LedgerReady.class);

    private final SweepStatus sweeper;

    LedgerReady(SweepStatus sweeper) {
        this.sweeper = sweeper;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("ledger");
        try {
            SweepStatus.View view = sweeper.view(1);
            response.up()
                    .withData("sweeperPaused", view.paused())
                    .withData("brakeHolding", view.brake().holding());
            if (view.returnedAt() != null) {
                response.withData("returnedAt", view.returnedAt().toString());
            }
        } catch (RuntimeException e) {
            LOG.debug("The ledger cannot be read.", e);
            response.down();
        }
        return response.build();
    }
}
