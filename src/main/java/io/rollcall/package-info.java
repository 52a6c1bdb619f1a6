/**
 * Rollcall knows which delegated work is alive and what to do about the rest. The map:
 *
 * <ul>
 *   <li>{@code delegation} the domain: state machine, entity, ledger, use cases; knows neither HTTP nor the scheduler
 *   <li>{@code lease} live holds and the hot path of heartbeats
 *   <li>{@code queue} settings of queues, and who waits for work in them
 *   <li>{@code retry} what a failure means, and when to try again (pure)
 *   <li>{@code sweep} what the passage of time does: rules, one batch, the tick, the outage guard
 *   <li>{@code claim} how agents get work out of queues
 *   <li>{@code gate} checks that say whether reported work counts
 *   <li>{@code outbound} calls that leave the service, and where they may go
 *   <li>{@code redrive} retries in bulk
 *   <li>{@code liveness} probes that say whether silent agents are dead
 *   <li>{@code resource} named resource leases: locks with a time to live
 *   <li>{@code agent} who holds what
 *   <li>{@code retention} how final delegations leave the ledger
 *   <li>{@code health} whether this process is alive, and whether it can serve
 *   <li>{@code http} the REST API: thin resources, requests and responses, problems
 *   <li>{@code error} the refusals, by name
 *   <li>{@code time} the only reader of a clock
 *   <li>{@code config} what settings of several features have in common
 *   <li>{@code tx} what belongs to a transaction and to no feature
 *   <li>{@code sql} what repositories need to write native statements
 *   <li>{@code boot} the start: with the database it was given, or with one of its own
 *   <li>{@code demo} a fleet of agents that uses the service's own HTTP API; off unless asked for
 * </ul>
 *
 * <p>Arrows point one way: {@code http → features → delegation}; {@code delegation → lease, queue, retry};
 * {@code sweep → delegation, lease, gate, resource, liveness}; {@code gate → delegation, outbound}; no cycles.
 */
@NullMarked
package io.rollcall;

import org.jspecify.annotations.NullMarked;
