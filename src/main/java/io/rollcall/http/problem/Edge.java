package io.rollcall.http.problem;

import io.rollcall.error.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What every request meets first, whatever path it is for: its id, the limits, and, when nobody else answers, a problem.
 * Runs on the event loop and waits for nothing.
 */
@ApplicationScoped
public class Edge {
    /** Before the upload limit of Quarkus (-2), which answers without a body, and before authentication. */
    private static final int FIRST = -10_000;

    private static final long LINGER_MS = 2_000;
    private static final String BODY_LIMIT = "io.rollcall.body-limit";
    private static final Set<String> BATCHES = Set.of("/v1/delegations/batch", "/v1/heartbeats");

    private final EdgeConfig config;
    private final ProblemWriter writer;
    private final AllowedMethods allowedMethods;

    Edge(EdgeConfig config, ProblemWriter writer, AllowedMethods allowedMethods) {
        this.config = config;
        this.writer = writer;
        this.allowedMethods = allowedMethods;
    }

    /** The longest body that this request may have, in bytes. */
    public static long bodyLimitOf(RoutingContext context) {
        Long limit = context.get(BODY_LIMIT);
        return limit == null ? 0 : limit;
    }

    void install(@Observes Router router) {
        router.route().order(FIRST).handler(this::receive);
        router.route().order(FIRST).failureHandler(this::answerFailure);
        IntStream.of(400, 404, 405, 406, 413, 415, 500)
                .forEach(status -> router.errorHandler(status, this::answerFailure));
    }

    private void receive(RoutingContext context) {
        RequestId.assign(context);
        forgetTheTypeOfNoBody(context.request());
        context.put(BODY_LIMIT, limitFor(context.request().path()));
        Optional<ProblemAnswer> refusal = refusalOf(context.request());
        if (refusal.isPresent()) {
            writer.end(context.response(), closingWhatIsTooLong(refusal.get(), context));
        } else if (!answersOptions(context)) {
            context.next();
        }
    }

    /** Many clients name the type of a body that is not there: that is no reason to refuse them. */
    private static void forgetTheTypeOfNoBody(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        boolean unannounced = length == null
                && request.version() != HttpVersion.HTTP_2
                && !request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
        if (unannounced || "0".equals(length)) {
            request.headers().remove(HttpHeaders.CONTENT_TYPE);
        }
    }

    private long limitFor(String path) {
        boolean batch = path != null && BATCHES.contains(path);
        return (batch ? config.maxBatchBodySize() : config.maxBodySize()).asLongValue();
    }

    private Optional<ProblemAnswer> refusalOf(HttpServerRequest request) {
        String uri = request.uri();
        if (uri.length() > config.maxUriLength()) {
            return Optional.of(ProblemAnswer.of(
                    ErrorCode.URI_TOO_LONG,
                    "Path and query are " + uri.length() + " characters long; " + config.maxUriLength()
                            + " are allowed."));
        }
        return UriText.faultIn(uri)
                .map(fault -> ProblemAnswer.of(ErrorCode.INVALID_REQUEST, "The URI " + fault + "."))
                .or(() -> faultInHeaders(request))
                .or(() -> tooLong(request));
    }

    private Optional<ProblemAnswer> faultInHeaders(HttpServerRequest request) {
        long limit = config.maxHeaderSize().asLongValue();
        long size = 0;
        for (Map.Entry<String, String> header : request.headers()) {
            size += header.getKey().length() + header.getValue().length();
        }
        return size > limit
                ? Optional.of(ProblemAnswer.of(
                        ErrorCode.HEADERS_TOO_LARGE,
                        "The headers are longer than the " + limit + " bytes that are allowed."))
                : Optional.empty();
    }

    private Optional<ProblemAnswer> tooLong(HttpServerRequest request) {
        String announced = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        long limit = limitFor(request.path());
        return announced != null && Long.parseLong(announced) > limit
                ? Optional.of(ProblemAnswer.of(ErrorCode.CONTENT_TOO_LARGE, tooLongFor(limit)))
                : Optional.empty();
    }

    /** Says how long a body may be. */
    public static String tooLongFor(long limit) {
        return "The body is longer than the " + limit + " bytes that are allowed here.";
    }

    private boolean answersOptions(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!HttpMethod.OPTIONS.equals(request.method())
                || request.headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD)) {
            return false;
        }
        String methods = allowedMethods.header(context.normalizedPath());
        if (methods.isEmpty()) {
            return false;
        }
        context.response()
                .putHeader(ProblemAnswer.ALLOW, methods)
                .setStatusCode(204)
                .end();
        return true;
    }

    private void answerFailure(RoutingContext context) {
        Throwable failure = context.failure();
        int status = context.statusCode();
        boolean told = failure == null || (status >= 400 && status < 500);
        writer.end(
                context.response(),
                closingWhatIsTooLong(
                        told ? ThrowableProblems.ofStatus(status) : ThrowableProblems.of(failure), context));
    }

    /** The rest of a body that is too long is not read: the answer goes out, and after a moment the connection ends. */
    ProblemAnswer closingWhatIsTooLong(ProblemAnswer answer, RoutingContext context) {
        if (answer.problem().status() != ErrorStatus.of(ErrorCode.CONTENT_TOO_LARGE)) {
            return answer;
        }
        context.addEndHandler(answered -> linger(context));
        return context.request().version() == HttpVersion.HTTP_2
                ? answer
                : answer.with(HttpHeaders.CONNECTION.toString(), "close");
    }

    /** Closing at once would reset the connection under a client that still sends, and it would never see the answer. */
    private static void linger(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (request.isEnded()) {
            hangUp(request);
            return;
        }
        long timer = context.vertx().setTimer(LINGER_MS, late -> hangUp(request));
        request.exceptionHandler(gone -> context.vertx().cancelTimer(timer));
        request.handler(rest -> {});
        request.endHandler(all -> {
            context.vertx().cancelTimer(timer);
            hangUp(request);
        });
        request.resume();
    }

    private static void hangUp(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset();
        } else {
            request.connection().close();
        }
    }
}
