package io.rollcall.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.http.json.OptionalBody;
import io.smallrye.mutiny.Uni;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.PersistenceException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;
import org.jboss.logging.MDC;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** What the tests of the edge talk to: one method for each kind of request and each kind of failure. */
@Path("/v1/edge-probe")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class EdgeProbeResource {
    /** A body with a field of every kind. */
    public record Probe(
            @Size(max = 5) String text,
            Integer number,
            Double ratio,
            Boolean flag,
            Colour colour,
            UUID id,
            Instant at,
            Duration lasts,
            JsonNode tree,
            Map<String, @Size(max = 5) String> labels,
            List<@Valid Item> items) {}

    /** An element of a body. */
    public record Item(@NotBlank String task) {}

    /** An enum as the domain has them. */
    public enum Colour {
        DARK_RED,
        BLUE
    }

    @POST
    @Path("echo")
    public Probe echo(@Valid Probe probe) {
        return probe;
    }

    @POST
    @Path("echo/event-loop")
    public Uni<Probe> echoOnTheEventLoop(@Valid Probe probe) {
        return Uni.createFrom().item(probe);
    }

    @POST
    @Path("optional")
    public Map<String, Object> optional(@OptionalBody Probe probe) {
        return Map.of("given", probe != null);
    }

    @GET
    @Path("query")
    public Map<String, Object> query(
            @RestQuery Instant since,
            @RestQuery("for") Duration lasts,
            @RestQuery UUID id,
            @RestQuery @Max(500) Integer limit,
            @RestQuery List<Colour> colour,
            @RestQuery boolean flag) {
        return Map.of("colour", colour, "flag", flag, "since", since == null ? Instant.EPOCH : since);
    }

    @GET
    @Path("things/{id}")
    public Map<String, Object> thing(@RestPath UUID id) {
        return Map.of("id", id, "requestId", String.valueOf(MDC.get("requestId")));
    }

    @GET
    @Path("fail/{how}")
    public String fail(@RestPath String how) throws Throwable {
        throw switch (how) {
            case "refused" ->
                new RefusedException(ErrorCode.LEASE_LOST, "The lease is gone.")
                        .with("delegationStatus", "queued")
                        .with("at", Instant.EPOCH);
            case "version" -> new OptimisticLockException("io.rollcall.Secret");
            case "pool" ->
                new PersistenceException(new SQLException("Acquisition timeout while waiting for new connection"));
            case "statement" -> new IllegalStateException(new PersistenceException(new SQLException("x", "57014")));
            case "unique" -> new PersistenceException(new SQLException("x", "23505"));
            case "syntax" -> new PersistenceException(new SQLException("io.rollcall.Secret", "42601"));
            case "slow" -> new TimeoutException("io.rollcall.Secret");
            case "full" -> new BulkheadException("io.rollcall.Secret");
            case "checked" -> new Exception("io.rollcall.Secret");
            case "error" -> new AssertionError("io.rollcall.Secret");
            default -> new IllegalArgumentException("io.rollcall.Secret");
        };
    }

    @GET
    @Path("invalid-answer")
    public @Valid Item invalidAnswer() {
        return new Item("");
    }

    @POST
    @Path("header")
    public Map<String, Object> header(@RestHeader("If-Match") String ifMatch, Item item) {
        return Map.of("ifMatch", String.valueOf(ifMatch), "task", item.task());
    }

    @GET
    @Path("fail-later")
    public Uni<String> failLater() {
        return Uni.createFrom().failure(new SQLException("gone", "08006"));
    }
}
