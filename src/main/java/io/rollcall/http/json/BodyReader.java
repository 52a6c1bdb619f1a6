package io.rollcall.http.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import io.rollcall.http.problem.Edge;
import io.rollcall.http.problem.Problem;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Stands before everything that reads a body: bounds its length however it is sent, looks at its text, and says what
 * is wrong with its JSON.
 */
@Provider
@ApplicationScoped
public class BodyReader implements ReaderInterceptor {
    private final CurrentVertxRequest currentRequest;

    BodyReader(CurrentVertxRequest currentRequest) {
        this.currentRequest = currentRequest;
    }

    @Override
    public @Nullable Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        refuseEncodings(context);
        byte[] body = read(context);
        BodyText.check(body, isJson(context.getMediaType()));
        context.setInputStream(new ByteArrayInputStream(body));
        Object value = body.length == 0 ? null : parse(context);
        if (value == null && !mayBeAbsent(context)) {
            throw Problem.invalid("", body.length == 0 ? "is empty; a JSON object is expected" : "must not be null");
        }
        return value;
    }

    private static void refuseEncodings(ReaderInterceptorContext context) {
        List<String> encodings = context.getHeaders().getOrDefault(HttpHeaders.CONTENT_ENCODING, List.of());
        String charset = context.getMediaType().getParameters().get(MediaType.CHARSET_PARAMETER);
        if (!encodings.stream().allMatch("identity"::equalsIgnoreCase)) {
            throw new RefusedException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must come without an encoding.");
        }
        if (charset != null && !"utf-8".equals(charset.toLowerCase(Locale.ROOT))) {
            throw new RefusedException(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be in UTF-8.");
        }
    }

    private byte[] read(ReaderInterceptorContext context) {
        long limit = Edge.bodyLimitOf(currentRequest.getCurrent());
        byte[] body;
        try {
            body = context.getInputStream().readNBytes(Math.toIntExact(limit + 1));
        } catch (IOException e) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "The body ended before it was complete.");
        }
        if (body.length > limit) {
            throw new RefusedException(ErrorCode.CONTENT_TOO_LARGE, Edge.tooLongFor(limit));
        }
        return body;
    }

    private static @Nullable Object parse(ReaderInterceptorContext context) throws IOException {
        try {
            return context.proceed();
        } catch (JsonProcessingException e) {
            throw refusal(e);
        } catch (WebApplicationException e) {
            throw e.getCause() instanceof JsonProcessingException json ? refusal(json) : e;
        }
    }

    private static RefusedException refusal(JsonProcessingException failure) {
        return Problem.invalid(List.of(JsonViolations.of(failure)));
    }

    private static boolean isJson(MediaType type) {
        String subtype = type.getSubtype().toLowerCase(Locale.ROOT);
        return subtype.equals("json") || subtype.endsWith("+json");
    }

    private static boolean mayBeAbsent(ReaderInterceptorContext context) {
        return Arrays.stream(context.getAnnotations()).anyMatch(OptionalBody.class::isInstance);
    }
}
