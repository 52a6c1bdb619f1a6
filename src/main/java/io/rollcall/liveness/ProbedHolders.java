package io.rollcall.liveness;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holders of one kind that can be asked whether they live, and the place where dead answers are counted. Each method is a
 * transaction of its own.
 */
public interface ProbedHolders {
    /** Which kind, for logs. */
    String name();

    /**
     * Holders with a probe that have been silent for longer than they should; a bounded number of them.
     *
     * @param after the key after which to begin; null: from the first
     */
    SilentPage findSilent(@Nullable String after);

    /** These were found dead: each counts one more, once a turn, unless it has been heard of meanwhile. */
    void countDead(List<SilentHolder> dead, Turn turn);

    /** Lets go of what was counted and does not stand any more. */
    default void forget() {}

    /** These were found alive: their counts are zero again. */
    void clear(List<SilentHolder> alive);
}
