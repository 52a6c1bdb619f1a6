package io.rollcall.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Whether the demo runs: with {@code rollcall.demo=true}, from the start of the service to its end. */
@ApplicationScoped
class DemoFleet {
    private final boolean enabled;
    private final HttpServer server;
    private final ObjectMapper json;
    private @Nullable DemoRun run;

    DemoFleet(
            @ConfigProperty(name = DemoDefaults.DEMO, defaultValue = "false") boolean enabled,
            HttpServer server,
            ObjectMapper json) {
        this.enabled = enabled;
        this.server = server;
        this.json = json;
    }

    void start(@Observes StartupEvent event) {
        if (enabled) {
            run = new DemoRun(server, json);
            run.begin();
        }
    }

    void stop(@Observes ShutdownEvent event) {
        if (run != null) {
            run.close();
        }
    }
}
