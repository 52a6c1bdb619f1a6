package io.rollcall.lease;

import java.util.Map;
import java.util.UUID;

/**
 * Leases read by one statement, together with what that statement saw of the service's own presence.
 *
 * @param byDelegation the leases that exist
 * @param beatsWereAccepted whether, less than 5 s before this transaction began, some replica was accepting beats. If
 *     not, silence proves nothing
 */
public record LeasesUnderLock(Map<UUID, Lease> byDelegation, boolean beatsWereAccepted) {}
