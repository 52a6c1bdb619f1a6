package io.rollcall.lease;

import static io.rollcall.sql.Statements.column;
import static io.rollcall.sql.Statements.duration;
import static io.rollcall.sql.Statements.microsOrNull;
import static io.rollcall.sql.Statements.scalar;

import io.agroal.api.AgroalDataSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.OptimisticLockException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.hibernate.Session;
import org.hibernate.exception.GenericJDBCException;
import org.jspecify.annotations.Nullable;

/**
 * Every statement by which heartbeats renew leases. What renews them is a function of the database, {@code renew_leases}:
 * it alone can fix the plan, and with it the order in which rows are locked.
 */
@ApplicationScoped
public class BeatRepository {
    private static final String RENEW = "select * from renew_leases(?, ?, ?, ?, ?, ?, ?)";

    /** Writes only what is new: most agents say the same with every beat. The leases are locked, having been renewed. */
    private static final String DESCRIBE = """
            insert into attempt as a (delegation_id, epoch, agent, instance, probe)
            select l.delegation_id, l.epoch, l.holder, u.instance, cast(u.probe as jsonb)
            from unnest(cast(? as uuid[]), cast(? as text[]), cast(? as text[])) as u(id, instance, probe)
            join lease l on l.delegation_id = u.id
            order by l.delegation_id
            on conflict (delegation_id) do update set
                epoch = excluded.epoch,
                agent = excluded.agent,
                request_id = case when a.epoch = excluded.epoch then a.request_id end,
                instance = coalesce(excluded.instance, case when a.epoch = excluded.epoch then a.instance end),
                probe = coalesce(excluded.probe, case when a.epoch = excluded.epoch then a.probe end)
            where a.epoch <> excluded.epoch
               or a.instance is distinct from coalesce(excluded.instance, a.instance)
               or a.probe is distinct from coalesce(excluded.probe, a.probe)
            """;

    private static final String NOT_BEGUN =
            "select delegation_id from lease where delegation_id = any(:ids) and not begun order by delegation_id";

    private final EntityManager entities;
    private final AgroalDataSource database;

    BeatRepository(EntityManager entities, AgroalDataSource database) {
        this.entities = entities;
        this.database = database;
    }

    /**
     * Renews the leases that have begun, are still there and still carry the epoch. At most one beat a delegation. Where no
     * agent describes itself the statement is its own transaction, so that it takes one round trip; so nothing may be
     * under way on this thread.
     *
     * @return what was renewed; of the others nothing is said
     */
    public List<Renewal> renewInOneTransaction(List<Beat> beats) {
        try (Connection connection = database.getConnection()) {
            return beats.stream().noneMatch(beat -> beat.agent().isGiven())
                    ? renew(connection, beats, false)
                    : renewAndCommit(connection, beats);
        } catch (SQLException e) {
            throw new GenericJDBCException("Heartbeats could not be written", e);
        }
    }

    private static List<Renewal> renewAndCommit(Connection connection, List<Beat> beats) throws SQLException {
        connection.setAutoCommit(false);
        try {
            List<Renewal> renewals = renew(connection, beats, false);
            connection.commit();
            return renewals;
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    /**
     * Renews one lease in the running transaction, also as its first beat. The caller has seen its epoch there.
     *
     * @throws OptimisticLockException if it is there no longer
     */
    public Renewal renew(Beat beat) {
        return renewAll(List.of(beat)).stream()
                .findFirst()
                .orElseThrow(() -> new OptimisticLockException("The lease moved on: " + beat.delegationId()));
    }

    /** The same for many, at most one beat a delegation, whose rows the caller has locked. */
    public List<Renewal> renewAll(List<Beat> beats) {
        entities.flush(); // delegations are locked before leases
        return entities.unwrap(Session.class).doReturningWork(connection -> renew(connection, beats, true));
    }

    /** Those of some delegations whose leases wait for their first beat. */
    public List<UUID> findNotBegun(Collection<UUID> delegationIds) {
        return scalar(entities, NOT_BEGUN, "delegation_id", UUID.class)
                .setParameter("ids", delegationIds.toArray(UUID[]::new))
                .getResultList();
    }

    private static List<Renewal> renew(Connection connection, List<Beat> beats, boolean begin) throws SQLException {
        try (PreparedStatement renew = connection.prepareStatement(RENEW)) {
            setArray(renew, 1, "uuid", column(beats, Beat::delegationId, UUID[]::new));
            setArray(renew, 2, "bigint", column(beats, Beat::epoch, Long[]::new));
            setArray(renew, 3, "float8", column(beats, Beat::progress, Double[]::new));
            setArray(renew, 4, "text", column(beats, Beat::note, String[]::new));
            setArray(renew, 5, "boolean", column(beats, Beat::nonIdempotent, Boolean[]::new));
            setArray(renew, 6, "bigint", column(beats, beat -> microsOrNull(beat.leaseTime()), Long[]::new));
            renew.setBoolean(7, begin);
            List<Renewal> renewals = read(renew, beats.size());
            describe(connection, beats, renewals);
            return renewals;
        }
    }

    /** Keeps what agents say about themselves, of those whose leases were renewed. */
    private static void describe(Connection connection, List<Beat> beats, List<Renewal> renewals) throws SQLException {
        List<Beat> telling =
                beats.stream().filter(beat -> beat.agent().isGiven()).toList();
        if (telling.isEmpty()) {
            return;
        }
        Set<UUID> renewed = renewals.stream().map(Renewal::delegationId).collect(Collectors.toSet());
        List<Beat> heard = telling.stream()
                .filter(beat -> renewed.contains(beat.delegationId()))
                .toList();
        try (PreparedStatement describe = connection.prepareStatement(DESCRIBE)) {
            setArray(describe, 1, "uuid", column(heard, Beat::delegationId, UUID[]::new));
            setArray(describe, 2, "text", column(heard, beat -> beat.agent().instance(), String[]::new));
            setArray(describe, 3, "text", column(heard, beat -> beat.agent().probe(), String[]::new));
            describe.executeUpdate();
        }
    }

    /** A column in which no beat says anything goes as null: {@code unnest} fills it up. */
    private static void setArray(PreparedStatement statement, int index, String type, @Nullable Object[] values)
            throws SQLException {
        if (Arrays.stream(values).allMatch(Objects::isNull)) {
            statement.setNull(index, Types.ARRAY);
        } else {
            Array array = statement.getConnection().createArrayOf(type, values);
            statement.setArray(index, array);
            array.free();
        }
    }

    private static List<Renewal> read(PreparedStatement renew, int expected) throws SQLException {
        List<Renewal> renewals = new ArrayList<>(expected);
        try (ResultSet rows = renew.executeQuery()) {
            Instant now = Instant.EPOCH; // the same in all rows
            while (rows.next()) {
                now = renewals.isEmpty() ? instant(rows, 7) : now;
                renewals.add(new Renewal(
                        rows.getObject(1, UUID.class),
                        rows.getLong(2),
                        rows.getBoolean(3),
                        rows.getBoolean(4),
                        instant(rows, 5),
                        duration(rows.getLong(6)),
                        now));
            }
        }
        return renewals;
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
