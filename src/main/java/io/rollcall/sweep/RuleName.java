package io.rollcall.sweep;

import java.util.Locale;

/** The rules of the sweeper, in the order in which they are asked; the first that matches decides. */
public enum RuleName {
    /** Its end was asked for, and its agent had time to stop. */
    CANCEL,
    /** Its deadline has come. */
    DEADLINE,
    /** Nobody claimed it in time. */
    QUEUE_TIMEOUT,
    /** Its run has ended, and nobody finalizes it any more. */
    FINALIZATION,
    /** One attempt has lasted too long. */
    MAX_RUNNING,
    /** A probe found its agent dead, often enough. */
    AGENT_DEAD,
    /** Its agent stopped beating. */
    STALE_HEARTBEAT,
    /** Not about delegations, and asked after them: a named lease is free, although nobody released it. */
    RESOURCE_LEASES;

    /** The name in the settings and in events. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
