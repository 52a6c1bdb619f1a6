package io.rollcall.boot.embedded;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.postgresql.Driver;

/** What is done to an embedded server through SQL, as its superuser. */
record Sessions(int port, String password) {
    /** The role and the database of the service. */
    static final String SERVICE = "rollcall";

    private static final int CONNECT_TIMEOUT_SECONDS = 5;

    /** True once the server takes connections. */
    boolean accepted() {
        try (Connection connection = connect()) {
            return connection.isValid(CONNECT_TIMEOUT_SECONDS);
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** Creates the role of the service, which is no superuser, and its database. */
    void createDatabase() throws SQLException {
        try (Connection connection = connect()) {
            if (isMissing(connection, "select 1 from pg_roles where rolname = ?")) {
                execute(connection, "create role " + SERVICE + " login password '" + password + "'");
            }
            if (isMissing(connection, "select 1 from pg_database where datname = ?")) {
                execute(connection, "create database " + SERVICE + " owner " + SERVICE);
            }
        }
    }

    /** Ends all sessions but this one. */
    void endOthers() throws SQLException {
        try (Connection connection = connect()) {
            execute(connection, """
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where backend_type = 'client backend' and pid <> pg_backend_pid()""");
        }
    }

    /** Not through the DriverManager: it looks for drivers once a JVM, and dev mode has several class loaders. */
    private Connection connect() throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", "postgres");
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", String.valueOf(CONNECT_TIMEOUT_SECONDS));
        return Objects.requireNonNull(
                new Driver().connect("jdbc:postgresql://127.0.0.1:" + port + "/postgres", properties));
    }

    private static boolean isMissing(Connection connection, String query) throws SQLException {
        try (var statement = connection.prepareStatement(query)) {
            statement.setString(1, SERVICE);
            try (var rows = statement.executeQuery()) {
                return !rows.next();
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
