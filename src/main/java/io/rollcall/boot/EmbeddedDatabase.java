package io.rollcall.boot;

import java.nio.file.Path;

/**
 * A PostgreSQL that comes with the service, for trials and development. The implementation stands in {@code src/embedded}
 * and is found by {@link java.util.ServiceLoader}: packages for production leave it out.
 */
public interface EmbeddedDatabase {
    /** Starts the server whose files live below {@code directory}, or joins one that already runs there. */
    Server start(Path directory);

    /** A running server; closing it stops it, unless another process still uses it. */
    interface Server extends AutoCloseable {
        /** Where the database of the service is. */
        String jdbcUrl();

        /** The role that owns the database. */
        String username();

        /** The password of {@link #username()}. */
        String password();

        @Override
        void close();
    }
}
