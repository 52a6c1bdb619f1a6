package io.rollcall.gate;

import io.rollcall.delegation.GateVerdict;
import java.util.UUID;

/**
 * What a gate has said.
 *
 * @param delegationId about which delegation
 * @param version as it was when the gate was asked
 * @param verdict whether it may count as completed
 */
public record GateAnswer(UUID delegationId, long version, GateVerdict verdict) {}
