package io.rollcall.sweep;

import io.quarkus.arc.All;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** All rules that are switched on, in their order. Pure. */
@Singleton
class RuleBook {
    private final List<SweepRule> rules;

    RuleBook(@All List<SweepRule> rules, SweepConfig config) {
        this.rules = rules.stream()
                .filter(rule -> config.isEnabled(rule.name()))
                .sorted(Comparator.comparing(SweepRule::name))
                .toList();
    }

    /**
     * A rule that matched, and when it came to match.
     *
     * @param rule which
     * @param dueAt the first instant at which it matched
     * @param verdict what it decides
     */
    record Decision(RuleName rule, Instant dueAt, Verdict verdict) {}

    /**
     * What the first rule that matches decides; empty if none does.
     *
     * @param hearing how well agents can be heard now
     */
    Optional<Decision> decide(DelegationSnapshot delegation, Instant now, Hearing hearing) {
        if (delegation.status().isFinal()) {
            return Optional.empty();
        }
        for (SweepRule rule : rules) {
            Optional<Instant> dueAt = rule.dueAt(delegation).filter(due -> !due.isAfter(now));
            if (dueAt.isPresent() && hearing.compareTo(rule.needs()) >= 0) {
                return Optional.of(new Decision(rule.name(), dueAt.get(), rule.decide(delegation)));
            }
            if (rule.protects(delegation)) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Which rules are switched on. */
    Set<RuleName> names() {
        return rules.stream().map(SweepRule::name).collect(Collectors.toUnmodifiableSet());
    }
}
