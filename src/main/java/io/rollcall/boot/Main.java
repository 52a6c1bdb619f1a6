package io.rollcall.boot;

import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.ServiceLoader;

/**
 * Starts the service. Where no JDBC URL is configured and the package carries an {@link EmbeddedDatabase}, that starts
 * first; with a JDBC URL it is not even unpacked.
 */
@QuarkusMain
public final class Main {
    /** The entry of {@code java -jar} and of {@code quarkus:dev}. */
    public static void main(String... args) {
        // else a malformed path is answered with an empty 400 before the service can say what is wrong with it
        System.setProperty("vertx.disableURIValidation", "true");
        try {
            ServiceLoader.load(EmbeddedDatabase.class).findFirst().ifPresent(Main::startUnlessConfigured);
        } catch (EmbeddedDatabaseException e) {
            System.err.println(e.getMessage());
            ApplicationLifecycleManager.getDefaultExitCodeHandler().accept(1, e);
            return;
        }
        Quarkus.run(args);
    }

    private static void startUnlessConfigured(EmbeddedDatabase database) {
        var config = BootConfig.read();
        if (config.hasDatabase()) {
            return;
        }
        var server = database.start(config.dataDirectory());
        EmbeddedLifetime.begin(server, config.settingsFor(server));
    }
}
