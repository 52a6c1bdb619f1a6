package io.rollcall.lease;

import static io.rollcall.sql.Statements.column;
import static io.rollcall.sql.Statements.duration;
import static io.rollcall.sql.Statements.microsOrNull;
import static io.rollcall.sql.Statements.statement;

import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Every statement by which heartbeats renew leases. */
@ApplicationScoped
public class BeatRepository {
    /**
     * Locks in the order of ids first, so that two replicas with the same ids in different orders cannot deadlock; leaves
     * leases not begun alone, since a first beat also changes the delegation.
     */
    private static final String RENEW = """
            with beat as (
                select * from unnest(cast(:ids as uuid[]), cast(:epochs as bigint[]), cast(:progresses as float8[]),
                                     cast(:notes as text[]), cast(:effects as boolean[]), cast(:leaseTimes as bigint[]))
                    as u(id, epoch, progress, note, non_idempotent, lease_us)
            ), locked as (
                select delegation_id from lease where delegation_id = any(cast(:ids as uuid[]))
                order by delegation_id for no key update
            )
            update lease l set
                last_beat_at = greatest(l.last_beat_at, now()),
                stale_at = greatest(l.last_beat_at, now())
                    + coalesce(b.lease_us, l.lease_us) * interval '1 microsecond',
                lease_us = coalesce(b.lease_us, l.lease_us),
                progress = coalesce(b.progress, l.progress),
                note = coalesce(b.note, l.note),
                non_idempotent = coalesce(b.non_idempotent, l.non_idempotent),
                begun = true
            from locked k join beat b on b.id = k.delegation_id
            where l.delegation_id = k.delegation_id
              and (l.epoch = b.epoch or (b.epoch is null and l.sole))
              and (l.begun or :begin)
            returning l.delegation_id, l.epoch, l.stuck, l.cancel_asked, l.stale_at, l.lease_us, now() as at
            """;

    private static final String NOT_BEGUN =
            "select delegation_id from lease where delegation_id = any(:ids) and not begun order by delegation_id";

    private final EntityManager entities;

    BeatRepository(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * Renews the leases that have begun, are still there and still carry the epoch, in a transaction of its own. At most
     * one beat a delegation.
     *
     * @return what was renewed; of the others nothing is said
     */
    public List<Renewal> renewInOneTransaction(List<Beat> beats) {
        return QuarkusTransaction.requiringNew().call(() -> renew(beats, false));
    }

    /** Renews one lease in the running transaction, also as its first beat. Empty if its epoch is no longer there. */
    public Optional<Renewal> renew(Beat beat) {
        return renew(List.of(beat), true).stream().findFirst();
    }

    /** The same for many, at most one beat a delegation, whose rows the caller has locked. */
    public List<Renewal> renewAll(List<Beat> beats) {
        return renew(beats, true);
    }

    /** Those of some delegations whose leases wait for their first beat. */
    public List<UUID> findNotBegun(Collection<UUID> delegationIds) {
        return statement(entities, NOT_BEGUN)
                .setParameter("ids", delegationIds.toArray(UUID[]::new))
                .addScalar("delegation_id", UUID.class)
                .setTupleTransformer((row, names) -> (UUID) row[0])
                .getResultList();
    }

    private List<Renewal> renew(List<Beat> beats, boolean begin) {
        return statement(entities, RENEW)
                .setParameter("ids", column(beats, Beat::delegationId, UUID[]::new))
                .setParameter("epochs", column(beats, Beat::epoch, Long[]::new))
                .setParameter("progresses", column(beats, Beat::progress, Double[]::new))
                .setParameter("notes", column(beats, Beat::note, String[]::new))
                .setParameter("effects", column(beats, Beat::nonIdempotent, Boolean[]::new))
                .setParameter("leaseTimes", column(beats, beat -> microsOrNull(beat.leaseTime()), Long[]::new))
                .setParameter("begin", begin)
                .addScalar("delegation_id", UUID.class)
                .addScalar("epoch", Long.class)
                .addScalar("stuck", Boolean.class)
                .addScalar("cancel_asked", Boolean.class)
                .addScalar("stale_at", Instant.class)
                .addScalar("lease_us", Long.class)
                .addScalar("at", Instant.class)
                .setTupleTransformer((row, names) -> new Renewal(
                        (UUID) row[0],
                        (Long) row[1],
                        (Boolean) row[2],
                        (Boolean) row[3],
                        (Instant) row[4],
                        duration((Long) row[5]),
                        (Instant) row[6]))
                .getResultList();
    }
}
