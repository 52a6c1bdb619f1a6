package io.rollcall.http.problem;

import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import io.quarkus.security.AuthenticationCompletionException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.validation.ValidationException;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** What the client sees of every failure inside JAX-RS. All of it is decided in {@link ThrowableProblems}. */
@ApplicationScoped
class ProblemMapper {
    private final ProblemWriter writer;
    private final AllowedMethods allowedMethods;
    private final Edge edge;

    ProblemMapper(ProblemWriter writer, AllowedMethods allowedMethods, Edge edge) {
        this.writer = writer;
        this.allowedMethods = allowedMethods;
        this.edge = edge;
    }

    /** Names every type for which the framework brings a mapper of its own; {@code Throwable} is for the rest. */
    @ServerExceptionMapper({
        AuthenticationCompletionException.class,
        AuthenticationFailedException.class,
        ForbiddenException.class,
        InvalidDefinitionException.class,
        MismatchedInputException.class,
        NotFoundException.class,
        Throwable.class,
        UnauthorizedException.class,
        ValidationException.class,
        WebApplicationException.class
    })
    public Response toResponse(Throwable failure, UriInfo uri, RoutingContext context) {
        if (isNoFailure(failure)) {
            return ((WebApplicationException) failure).getResponse();
        }
        ProblemAnswer answer = ParameterNames.complete(ThrowableProblems.of(failure), failure, uri);
        if (failure instanceof NotAllowedException) {
            answer = answer.with(ProblemAnswer.ALLOW, allowedMethods.header(context.normalizedPath()));
        }
        return writer.response(edge.closingWhatIsTooLong(answer, context));
    }

    /** Redirects and the like are thrown, too. */
    private static boolean isNoFailure(Throwable failure) {
        return failure instanceof WebApplicationException thrown
                && thrown.getResponse().getStatus() < 400;
    }
}
