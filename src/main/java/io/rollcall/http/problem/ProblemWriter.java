package io.rollcall.http.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import org.jboss.logging.Logger;

/** Puts problems on the wire, inside JAX-RS and outside of it, in the same form. */
@ApplicationScoped
class ProblemWriter {
    private static final Logger LOG = Logger.getLogger(ProblemWriter.class);

    private final ObjectMapper mapper;

    ProblemWriter(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** The answer for JAX-RS. */
    Response response(ProblemAnswer answer) {
        Response.ResponseBuilder builder =
                Response.status(answer.status()).type(Problem.MEDIA_TYPE).entity(bytes(answer.problem()));
        answer.headers().forEach(builder::header);
        return builder.build();
    }

    /** Answers outside of JAX-RS, unless somebody has begun to answer already. */
    void end(HttpServerResponse response, ProblemAnswer answer) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.end();
            return;
        }
        response.setStatusCode(answer.status());
        response.putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
        answer.headers().forEach(response::putHeader);
        response.end(Buffer.buffer(bytes(answer.problem())));
    }

    private byte[] bytes(Problem problem) {
        try {
            return mapper.writeValueAsBytes(problem);
        } catch (JsonProcessingException e) {
            LOG.errorf(e, "A field of the problem %s cannot be written; answered without its fields", problem.type());
            return bytes(new Problem(problem.type(), problem.title(), problem.status(), problem.detail(), Map.of()));
        }
    }
}
