package io.rollcall.http;

import io.rollcall.delegation.Report;
import io.rollcall.delegation.ReportAnswer;
import io.rollcall.delegation.Reports;
import io.rollcall.error.LostRace;
import io.rollcall.gate.GateAnswer;
import io.rollcall.gate.GateQuestions;
import io.rollcall.gate.Gates;
import io.rollcall.lease.Lease;
import io.smallrye.faulttolerance.api.RetryWhen;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Objects;
import org.eclipse.microprofile.faulttolerance.Retry;

/** The way of a report: it is kept, then its gate is asked where it has one, then what the gate said is made to happen. */
@ApplicationScoped
class Reporting {
    private final Steps steps;
    private final GateQuestions questions;
    private final Gates gates;

    Reporting(Steps steps, GateQuestions questions, Gates gates) {
        this.steps = steps;
        this.questions = questions;
        this.gates = gates;
    }

    /** Reports; still pending where the gate has not answered in time. */
    ReportAnswer report(Report report) {
        ReportAnswer kept = steps.keep(report);
        return kept.asksGate()
                ? gates.ask(questions.about(kept.detail()))
                        .map(answer -> steps.settle(kept, answer))
                        .orElse(kept)
                : kept;
    }

    /** Each in a transaction of its own, tried again where others changed the delegation meanwhile. */
    @ApplicationScoped
    static class Steps {
        private final Reports reports;

        Steps(Reports reports) {
            this.reports = reports;
        }

        @Retry(maxRetries = 5, delay = 20, jitter = 20)
        @RetryWhen(exception = LostRace.class)
        ReportAnswer keep(Report report) {
            return reports.report(report);
        }

        @Retry(maxRetries = 5, delay = 20, jitter = 20)
        @RetryWhen(exception = LostRace.class)
        ReportAnswer settle(ReportAnswer kept, GateAnswer answer) {
            Lease lease = Objects.requireNonNull(kept.detail().lease());
            return reports.settle(answer.delegationId(), lease.epoch(), answer.version(), answer.verdict());
        }
    }
}
