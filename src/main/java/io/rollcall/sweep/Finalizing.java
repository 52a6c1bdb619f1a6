package io.rollcall.sweep;

import java.util.UUID;

/**
 * An attempt whose run has ended and that may be settled.
 *
 * @param delegationId of which delegation
 * @param asksGate whether its gate has to be asked first
 */
record Finalizing(UUID delegationId, boolean asksGate) {}
