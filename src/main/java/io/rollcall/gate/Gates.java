package io.rollcall.gate;

import io.micrometer.core.instrument.MeterRegistry;
import io.rollcall.delegation.GateVerdict;
import io.rollcall.outbound.OutboundCall;
import io.rollcall.outbound.OutboundClient;
import io.rollcall.outbound.OutboundTarget;
import io.rollcall.outbound.OutboundTargets;
import io.rollcall.outbound.Secrets;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Asks gates. Belongs outside of transactions: an answer may take seconds. */
@ApplicationScoped
public class Gates {
    private static final Logger LOG = Logger.getLogger(Gates.class);

    /** What one question takes at most, retry included: a little more than the patience of a gate. */
    private static final Duration PATIENCE = Gate.MAX_TIMEOUT.plusMillis(500);

    /** Reports that wait for their gates at once; those beyond are left to the next tick, so that threads remain for others. */
    private static final int WAITING_REPORTS = 64;

    private final OutboundClient client;
    private final OutboundTargets targets;
    private final Secrets secrets;
    private final GateGuards guards;
    private final GateVerdicts verdicts;
    private final MeterRegistry meters;
    private final Semaphore reports = new Semaphore(WAITING_REPORTS);

    Gates(
            OutboundClient client,
            OutboundTargets targets,
            Secrets secrets,
            GateGuards guards,
            GateVerdicts verdicts,
            MeterRegistry meters) {
        this.client = client;
        this.targets = targets;
        this.secrets = secrets;
        this.guards = guards;
        this.verdicts = verdicts;
        this.meters = meters;
    }

    /** Asks one, for a report whose agent waits; empty if there is no answer within about five seconds. */
    public Optional<GateAnswer> ask(GateQuestion question) {
        if (!reports.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return askAll(List.of(question)).stream().findFirst();
        } finally {
            reports.release();
        }
    }

    /** Asks several at once; those without an answer within about five seconds are left out. */
    public List<GateAnswer> askAll(List<GateQuestion> questions) {
        return questions.stream()
                .map(this::begin)
                .toList() // all of them are under way before the first is waited for
                .stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
    }

    private CompletableFuture<Optional<GateAnswer>> begin(GateQuestion question) {
        return guarded(question)
                .toCompletableFuture()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .handle((verdict, failure) -> {
                    if (failure != null) {
                        LOG.debugf("No answer %s: %s", question, reason(failure));
                        count("none");
                        return Optional.empty();
                    }
                    count(verdict.passed() ? "passed" : "rejected");
                    return Optional.of(new GateAnswer(question.delegationId(), question.version(), verdict));
                });
    }

    private CompletionStage<GateVerdict> guarded(GateQuestion question) {
        try {
            OutboundTarget target = targets.parse(question.gate().url());
            return guards.of(target.withoutQuery(), question.gate().patience()).call(() -> post(question, target));
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletionStage<GateVerdict> post(GateQuestion question, OutboundTarget target) {
        Map<String, String> headers = new HashMap<>();
        question.gate()
                .secrets()
                .forEach((header, secret) -> headers.put(header, secrets.require(secret, target.host())));
        return client.post(new OutboundCall(
                        target, headers, question.body(), question.gate().patience()))
                .thenApply(verdicts::of);
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private void count(String answer) {
        meters.counter("rollcall_gate_answers", "answer", answer).increment();
    }
}
