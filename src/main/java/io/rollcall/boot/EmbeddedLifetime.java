package io.rollcall.boot;

import io.quarkus.runtime.ApplicationLifecycleManager;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps an embedded server and its settings for as long as Quarkus runs, and ends them after it. */
final class EmbeddedLifetime {
    private static final long QUARKUS_STOP_LIMIT_SECONDS = 60;

    private final CountDownLatch over = new CountDownLatch(1);
    private final EmbeddedDatabase.Server server;
    private final Map<String, String> settings;

    private EmbeddedLifetime(EmbeddedDatabase.Server server, Map<String, String> settings) {
        this.server = server;
        this.settings = settings;
    }

    /** Publishes the settings as system properties and sees to it that the server stops after Quarkus. */
    static void begin(EmbeddedDatabase.Server server, Map<String, String> settings) {
        var lifetime = new EmbeddedLifetime(server, settings);
        settings.forEach(System::setProperty);
        lifetime.endWithQuarkus();
    }

    private void endWithQuarkus() {
        Thread hook = new Thread(this::endOnSignal, "embedded-database-stop");
        var exit = ApplicationLifecycleManager.getDefaultExitCodeHandler();
        ApplicationLifecycleManager.setDefaultExitCodeHandler((code, cause) -> {
            ApplicationLifecycleManager.setDefaultExitCodeHandler(exit);
            end();
            forget(hook);
            exit.accept(code, cause);
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** On a signal the hooks run side by side: this one holds the JVM until the main thread has left Quarkus behind. */
    private void endOnSignal() {
        try {
            if (!over.await(QUARKUS_STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                end();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void end() {
        if (over.getCount() == 0) {
            return;
        }
        settings.keySet().forEach(System::clearProperty);
        server.close();
        over.countDown();
    }

    /** A reload in dev mode starts the next server in the same JVM: do not collect hooks. */
    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook is running: it waits for end(), which has just happened.
        }
    }
}
