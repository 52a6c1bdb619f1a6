package io.rollcall.sql;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.hibernate.Session;
import org.hibernate.query.NativeQuery;
import org.jspecify.annotations.Nullable;

/** Native statements, and how rows and durations are handed to them. */
public final class Statements {
    private Statements() {}

    /** A statement whose columns the caller names with {@code addScalar}. Pending changes of entities are written first. */
    public static NativeQuery<Object[]> statement(EntityManager entities, String sql) {
        return entities.unwrap(Session.class).createNativeQuery(sql, Object[].class);
    }

    /**
     * A statement whose rows have one column. Not by {@code createNativeQuery(sql, type)}: Hibernate caches the plan of that
     * under a key that equals no other, and with each execution looks through all those before.
     */
    public static <T> NativeQuery<T> scalar(EntityManager entities, String sql, String column, Class<T> type) {
        return statement(entities, sql).addScalar(column, type).setTupleTransformer((row, names) -> type.cast(row[0]));
    }

    /** One column of some rows as an array, for {@code unnest}. */
    public static <R, C> C[] column(List<R> rows, Function<R, @Nullable C> value, IntFunction<C[]> array) {
        return rows.stream().map(value).toArray(array);
    }

    /** A duration as columns with the suffix {@code _us} keep it. */
    public static Long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    /** The same where there may be none. */
    public static @Nullable Long microsOrNull(@Nullable Duration duration) {
        return duration == null ? null : micros(duration);
    }

    /** The duration that a column with the suffix {@code _us} keeps. */
    public static Duration duration(Long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    /** The same where there may be none. */
    public static @Nullable Duration durationOrNull(@Nullable Object micros) {
        return micros == null ? null : duration((Long) micros);
    }
}
