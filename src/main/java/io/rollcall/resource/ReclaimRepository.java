package io.rollcall.resource;

import static io.rollcall.sql.Statements.scalar;
import static io.rollcall.sql.Statements.statement;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every statement by which leases that are free leave the table. */
@ApplicationScoped
class ReclaimRepository {
    private static final String FREE = """
            select r.name from resource_lease r cross join beat_acceptance a
            where r.name > :after and %s is not null order by r.name limit :limit
            """.formatted(ResourceLeaseRepository.WHY_FREE);

    private static final String LOCK = """
            select name from resource_lease where name = any(:names) order by name for update skip locked
            """;

    /** A statement of its own after the locks: a lease may have been tied to an attempt that began meanwhile. */
    private static final String DELETE = """
            delete from resource_lease r using beat_acceptance a
            where r.name = any(:names) and %1$s is not null
            returning r.name, %1$s as why_free
            """.formatted(ResourceLeaseRepository.WHY_FREE);

    private final EntityManager entities;
    private final ResourceConfig config;

    ReclaimRepository(EntityManager entities, ResourceConfig config) {
        this.entities = entities;
        this.config = config;
    }

    /** The names of up to {@code limit} leases that are free, in their order, after a given one. A hint, no more. */
    List<String> findFree(String after, int limit) {
        return scalar(entities, FREE, "name", String.class)
                .setParameter("deadTicks", config.deadTicks())
                .setParameter("after", after)
                .setParameter("limit", limit)
                .getResultList();
    }

    /** Deletes those of some names that are free and that nobody else is changing. Why each was free. */
    Map<String, WhyFree> deleteFree(List<String> names) {
        List<String> locked = scalar(entities, LOCK, "name", String.class)
                .setParameter("names", names.toArray(String[]::new))
                .getResultList();
        Map<String, WhyFree> deleted = new LinkedHashMap<>();
        statement(entities, DELETE)
                .setParameter("deadTicks", config.deadTicks())
                .setParameter("names", locked.toArray(String[]::new))
                .addScalar("name", String.class)
                .addScalar("why_free", String.class)
                .getResultList()
                .forEach(row -> deleted.put((String) row[0], WhyFree.ofWireName((String) row[1])));
        return deleted;
    }
}
