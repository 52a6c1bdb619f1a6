package io.rollcall.boot;

import java.nio.file.Path;

/** The embedded database could not start; the message tells whoever runs the service what to do. */
public final class EmbeddedDatabaseException extends RuntimeException {
    /** Says where, why, and which two ways lead on. */
    public EmbeddedDatabaseException(Path directory, String why, Throwable cause) {
        super(
                "The embedded PostgreSQL did not start in %s: %s. See server.log there, or give the service a database: QUARKUS_DATASOURCE_JDBC_URL, _USERNAME, _PASSWORD."
                        .formatted(directory, why),
                cause);
    }
}
