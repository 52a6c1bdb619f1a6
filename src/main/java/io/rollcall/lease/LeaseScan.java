package io.rollcall.lease;

/**
 * What one scan of all leases found.
 *
 * @param inFlight leases of delegations in flight
 * @param notBegun those whose agent has not begun yet
 * @param canGoStale those in flight from which a beat is due
 * @param stale those of them that are overdue
 * @param finalizing those whose run has ended; they neither go stale nor can
 * @param beatsWereAccepted whether, less than 5 s ago, some replica was accepting beats; if not, silence proves nothing
 */
public record LeaseScan(
        long inFlight, long notBegun, long canGoStale, long stale, long finalizing, boolean beatsWereAccepted) {}
