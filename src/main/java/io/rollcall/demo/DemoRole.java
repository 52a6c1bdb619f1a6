package io.rollcall.demo;

import java.util.Locale;
import java.util.Map;

/** How an agent of the demo behaves, and the terms of its delegation: one for every way in which work can go. */
enum DemoRole {
    /** Works, and reports that it is done. */
    FINISHER(2, "Works and finishes", Map.of()) {
        @Override
        Act next(int beats) {
            return beats < 4 ? Act.BEAT : Act.COMPLETE;
        }
    },
    /** Reports an error that another attempt may not meet. */
    FAILER(1, "Meets an error and reports it", Map.of()) {
        @Override
        Act next(int beats) {
            return beats < 2 ? Act.BEAT : Act.FAIL;
        }

        @Override
        Map<String, Object> error() {
            return Map.of("httpStatus", 503, "message", "the index did not answer");
        }
    },
    /** Could be tried again, but reports an error that another attempt would meet too: a dead letter. */
    HOPELESS(1, "Meets an error that no other attempt can avoid", Map.of("recovery", "requeue", "queue", "demo")) {
        @Override
        Act next(int beats) {
            return beats < 2 ? Act.BEAT : Act.FAIL;
        }

        @Override
        Map<String, Object> error() {
            return Map.of("httpStatus", 403, "message", "the credential was refused");
        }
    },
    /** Falls silent: an operator has to look. */
    SILENT(2, "Works, then falls silent", Map.of()) {
        @Override
        Act next(int beats) {
            return beats < 2 ? Act.BEAT : Act.FALL_SILENT;
        }
    },
    /** Falls silent, goes back into the queue, and nobody claims it in time. */
    CRASHER(
            1,
            "Works, then crashes; put back, nobody claims it",
            Map.of("recovery", "requeue", "queue", "demo", "queueTimeout", "PT15S")) {
        @Override
        Act next(int beats) {
            return beats < 2 ? Act.BEAT : Act.FALL_SILENT;
        }
    },
    /** Never starts: nothing but its deadline catches it. */
    ABSENT(1, "Never starts", Map.of("deadlineIn", "PT20S")) {
        @Override
        Act next(int beats) {
            return Act.FALL_SILENT;
        }
    },
    /** Beats for ever. */
    STEADY(2, "Works on and on", Map.of("deadlineIn", "P30D")) {
        @Override
        Act next(int beats) {
            return Act.BEAT;
        }
    };

    /** What an agent can do when it is its turn. */
    enum Act {
        BEAT,
        COMPLETE,
        FAIL,
        FALL_SILENT
    }

    private final int agents;
    private final String task;
    private final Map<String, Object> terms;

    DemoRole(int agents, String task, Map<String, Object> terms) {
        this.agents = agents;
        this.task = task;
        this.terms = terms;
    }

    /** What it does next, after so many beats. */
    abstract Act next(int beats);

    /** The error that it reports. */
    Map<String, Object> error() {
        return Map.of();
    }

    /** How many of the fleet behave like this. */
    int agents() {
        return agents;
    }

    String task() {
        return task;
    }

    /** What its registration says beside caller, agent and task. */
    Map<String, Object> terms() {
        return terms;
    }

    /** The word in labels and names. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
