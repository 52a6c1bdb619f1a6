package io.rollcall.delegation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a history as it is stored; its words may come from another version of the service.
 *
 * @param seq its number within the delegation, from 1
 * @param at when, by the database's clock
 * @param kind what kind of thing happened, see {@link EventKind}
 * @param from the status before
 * @param to the status after
 * @param reason why it ended or got stuck
 * @param cause what went wrong
 * @param epoch under which attempt
 * @param actor who did it
 * @param rule by which rule of the sweeper
 * @param data what it was judged by and what was said with it, as JSON
 */
public record RecordedEvent(
        long seq,
        Instant at,
        String kind,
        @Nullable String from,
        @Nullable String to,
        @Nullable String reason,
        @Nullable String cause,
        @Nullable Long epoch,
        String actor,
        @Nullable String rule,
        @Nullable String data) {}
