package io.rollcall.demo;

import io.rollcall.demo.DemoApi.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** One agent of the demo: acts when it is its turn, as its role says, until there is nothing left to do. */
final class DemoAgent implements Runnable {
    private static final Logger LOG = Logger.getLogger(DemoAgent.class);

    /** So often it beats at least: a newcomer wants to see something. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);

    private static final Duration BEFORE_ANOTHER_TRY = Duration.ofSeconds(1);

    private final DemoMember self;
    private final String place;
    private final long epoch;
    private final DemoApi api;
    private final ScheduledExecutorService turns;
    private int beats;

    DemoAgent(DemoMember self, long epoch, DemoApi api, ScheduledExecutorService turns) {
        this.self = self;
        this.place = "/v1/delegations/" + self.id();
        this.epoch = epoch;
        this.api = api;
        this.turns = turns;
    }

    @Override
    public void run() {
        try {
            act();
        } catch (IOException e) {
            LOG.debugf(e, "Demo: %s was not answered.", self.agent());
            again(BEFORE_ANOTHER_TRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the service stops
        }
    }

    private void act() throws IOException, InterruptedException {
        switch (self.role().next(beats)) {
            case BEAT -> beat();
            case COMPLETE -> report("completed", Map.of("result", Map.of("beats", beats)));
            case FAIL -> report("failed", Map.of("error", self.role().error()));
            case FALL_SILENT -> LOG.infof("Demo: %s %s.", self.agent(), beats == 0 ? "never starts" : "falls silent");
        }
    }

    private void beat() throws IOException, InterruptedException {
        Answer answer = api.post(
                place + "/heartbeat",
                Map.of("epoch", epoch, "progress", 1 - Math.pow(0.8, beats), "note", "beat " + (beats + 1)));
        if (answer.isForLater()) {
            again(BEFORE_ANOTHER_TRY);
        } else if (!answer.isSuccess()) {
            LOG.infof(
                    "Demo: %s stops: %s",
                    self.agent(), answer.body().path("detail").asText());
        } else if ("cancel".equals(answer.body().path("directive").asText())) {
            report("cancelled", Map.of());
        } else {
            beats++;
            Duration wait = Duration.parse(answer.body().path("heartbeatEvery").asText());
            again(wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT);
        }
    }

    private void report(String status, Map<String, ?> how) throws IOException, InterruptedException {
        var body = new HashMap<String, Object>(how);
        body.put("status", status);
        body.put("epoch", epoch);
        Answer answer = api.post(place + "/status", body);
        if (answer.isForLater()) {
            again(BEFORE_ANOTHER_TRY);
        } else {
            LOG.infof("Demo: %s reports %s.", self.agent(), status);
        }
    }

    private void again(Duration wait) {
        var unused = turns.schedule(this, wait.toMillis(), TimeUnit.MILLISECONDS);
    }
}
