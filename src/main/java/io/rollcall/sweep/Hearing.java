package io.rollcall.sweep;

/** How well agents can be heard, from worst to best: what their silence is worth. */
enum Hearing {
    /** Beats were not being accepted: silence proves nothing. */
    NONE,
    /** Beats are accepted, but too many agents are silent at once: the brake holds back. */
    DOUBTFUL,
    /** Who is silent has nothing to say. */
    GOOD
}
