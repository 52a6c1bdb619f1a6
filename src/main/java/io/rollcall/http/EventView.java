package io.rollcall.http;

import io.rollcall.delegation.RawJson;
import io.rollcall.delegation.RecordedEvent;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** One line of a history as clients see it; what does not apply is left out. */
@Schema(name = "Event")
record EventView(
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

        @Schema(description = "What it was judged by, and what was said with it") @Nullable
        RawJson data) {

    static EventView of(RecordedEvent event) {
        return new EventView(
                event.seq(),
                event.at(),
                event.kind(),
                event.from(),
                event.to(),
                event.reason(),
                event.cause(),
                event.epoch(),
                event.actor(),
                event.rule(),
                DelegationView.raw(event.data()));
    }
}
