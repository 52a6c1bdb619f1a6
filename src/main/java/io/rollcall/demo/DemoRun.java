package io.rollcall.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.vertx.http.HttpServer;
import io.rollcall.demo.DemoApi.Answer;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * One run of the demo: registers a delegation for each agent of a small fleet, over the service's own HTTP API, and lets
 * the agents act. What it registered stays when it ends.
 */
final class DemoRun implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(DemoRun.class);

    /** The fleet takes turns on these. */
    private static final int AGENT_THREADS = 2;

    /** A second each. */
    private static final int TRIES_TO_JOIN = 60;

    private final HttpServer server;
    private final ObjectMapper json;
    private final List<DemoMember> members = fleet();
    private final ScheduledThreadPoolExecutor turns = threads("demo-agents", AGENT_THREADS);
    private final ScheduledThreadPoolExecutor network = threads("demo-network", 1);

    DemoRun(HttpServer server, ObjectMapper json) {
        this.server = server;
        this.json = json;
    }

    void begin() {
        joinLater(TRIES_TO_JOIN);
    }

    @Override
    public void close() {
        turns.shutdownNow();
        network.shutdownNow();
    }

    private void joinLater(int tries) {
        var unused = turns.schedule(() -> join(tries), 1, TimeUnit.SECONDS);
    }

    /** The service opens its port only after its start: so this is tried until it answers. */
    private void join(int tries) {
        try {
            if (server.getPort() > 0 && register(new DemoApi(server.getLocalBaseUri(), json, network))) {
                return;
            }
        } catch (IOException e) {
            LOG.debug("Demo: the service does not answer yet.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the service stops
            return;
        }
        if (tries > 1) {
            joinLater(tries - 1);
        } else {
            LOG.warn("Demo: the service does not answer over plain HTTP; the fleet stays away.");
        }
    }

    private boolean register(DemoApi api) throws IOException, InterruptedException {
        Answer answer = api.post(
                "/v1/delegations/batch",
                Map.of("items", members.stream().map(DemoMember::registration).toList()));
        if (!answer.isSuccess()) {
            LOG.debugf("Demo: not registered: %s", answer.body());
            return false;
        }
        for (int i = 0; i < members.size(); i++) {
            JsonNode delegation = answer.body().path("items").path(i);
            long epoch = delegation.path("lease").path("epoch").asLong();
            turns.execute(new DemoAgent(members.get(i), epoch, api, turns));
        }
        introduce(api.service());
        return true;
    }

    private void introduce(URI service) {
        LOG.infof(
                """
                Demo: %d agents have joined under the caller '%s'. Within a minute each meets its fate:
                  curl '%3$s/v1/stats'
                  curl '%3$s/v1/delegations?caller=%2$s&status=stuck,failed'
                  curl '%3$s/v1/delegations/%4$s/events'   (one that falls silent)
                  curl '%3$s/v1/sweeper?limit=5'
                  curl -X POST '%3$s/v1/delegations/%4$s/retry'   (once it is stuck)
                  The API by hand: %3$s/q/swagger-ui""",
                members.size(),
                DemoMember.CALLER,
                service,
                members.stream()
                        .filter(member -> member.role() == DemoRole.SILENT)
                        .findFirst()
                        .orElseThrow()
                        .id());
    }

    private static List<DemoMember> fleet() {
        return Arrays.stream(DemoRole.values())
                .flatMap(
                        role -> IntStream.rangeClosed(1, role.agents()).mapToObj(number -> DemoMember.of(role, number)))
                .toList();
    }

    /** Daemons, so that they never keep the process alive; what comes after the end is dropped. */
    private static ScheduledThreadPoolExecutor threads(String name, int count) {
        return new ScheduledThreadPoolExecutor(
                count,
                task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
    }
}
