package io.rollcall.gate;

import java.util.UUID;

/**
 * What a gate is asked.
 *
 * @param delegationId about which delegation
 * @param version as it was read: an answer counts only as long as it is still so
 * @param gate whom
 * @param body the delegation as JSON
 */
public record GateQuestion(UUID delegationId, long version, Gate gate, String body) {
    /** Nothing of the delegation: it may be long, and is nobody's business. */
    @Override
    public String toString() {
        return "about " + delegationId + " in version " + version;
    }
}
