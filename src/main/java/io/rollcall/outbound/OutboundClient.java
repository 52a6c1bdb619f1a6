package io.rollcall.outbound;

import io.quarkus.tls.TlsConfigurationRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Calls what others have named: at one address that was judged before, under the name that they gave, without following
 * redirects, for a limited time, reading a limited answer. No thread waits meanwhile.
 */
@Singleton
public class OutboundClient {
    private static final int MAX_ANSWER_BYTES = 64 * 1024;
    private static final int CONNECTIONS_PER_TARGET = 16;

    private final Vertx vertx;
    private final OutboundTargets targets;
    private final HttpClient client;

    @Inject
    OutboundClient(Vertx vertx, OutboundTargets targets, TlsConfigurationRegistry tls) {
        this(
                vertx,
                targets,
                tls.getDefault().map(trusted -> trusted.getTrustStoreOptions()).orElse(null));
    }

    OutboundClient(Vertx vertx, OutboundTargets targets, @Nullable TrustOptions trust) {
        this.vertx = vertx;
        this.targets = targets;
        HttpClientOptions options = new HttpClientOptions()
                .setKeepAlive(false) // a pooled connection would outlive the judgement of its address
                .setMaxPoolSize(CONNECTIONS_PER_TARGET)
                .setVerifyHost(true);
        if (trust != null) {
            options.setTrustOptions(trust);
        }
        this.client = vertx.createHttpClient(options);
    }

    @PreDestroy
    void stop() {
        client.close();
    }

    /** Calls; fails with an {@link OutboundException} where no answer came that can be read. */
    public CompletionStage<OutboundAnswer> post(OutboundCall call) {
        Promise<OutboundAnswer> answer = Promise.promise();
        long timer = vertx.setTimer(
                call.timeout().toMillis(),
                id -> answer.tryFail(new OutboundException("did not answer in time", false)));
        vertx.executeBlocking(() -> targets.pin(call.target()), false)
                .compose(address -> client.request(options(call, address)))
                .compose(request -> {
                    answer.future().onFailure(failure -> request.reset());
                    return request.send(call.body());
                })
                .compose(OutboundClient::read)
                .onComplete(read -> {
                    if (read.succeeded()) {
                        answer.tryComplete(read.result());
                    } else {
                        answer.tryFail(asOutbound(read.cause()));
                    }
                });
        return answer.future().onComplete(read -> vertx.cancelTimer(timer)).toCompletionStage();
    }

    private static RequestOptions options(OutboundCall call, InetAddress address) {
        OutboundTarget target = call.target();
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(target.port(), address.getHostAddress()))
                .setHost(target.host())
                .setPort(target.port())
                .setSsl(target.secure())
                .setURI(target.pathAndQuery())
                .setFollowRedirects(false)
                .setTimeout(call.timeout().toMillis());
        call.headers().forEach(options::putHeader);
        return options.putHeader("Content-Type", "application/json")
                .putHeader("Accept", "application/json")
                .putHeader("User-Agent", "rollcall");
    }

    private static Future<OutboundAnswer> read(HttpClientResponse response) {
        Promise<OutboundAnswer> answer = Promise.promise();
        HttpClientRequest request = response.request();
        Buffer body = Buffer.buffer();
        response.exceptionHandler(answer::tryFail);
        response.handler(chunk -> {
            if (body.length() + chunk.length() > MAX_ANSWER_BYTES) {
                answer.tryFail(new OutboundException("answered more than 64 KiB", false));
                request.reset();
            } else {
                body.appendBuffer(chunk);
            }
        });
        response.endHandler(end -> answer.tryComplete(new OutboundAnswer(response.statusCode(), body.toString())));
        return answer.future();
    }

    private static Throwable asOutbound(Throwable failure) {
        return failure instanceof OutboundException
                ? failure
                : new OutboundException(
                        "could not be called: " + failure.getClass().getSimpleName(), true);
    }
}
