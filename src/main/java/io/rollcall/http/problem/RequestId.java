package io.rollcall.http.problem;

import io.vertx.ext.web.RoutingContext;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/** Names each request: by the name that the client brought if it is a decent one. In every log line and in the answer. */
final class RequestId {
    static final String HEADER = "X-Request-Id";
    static final String MDC_KEY = "requestId";

    private static final Pattern DECENT = Pattern.compile("[A-Za-z0-9._:@-]{1,128}");

    private RequestId() {}

    static void assign(RoutingContext context) {
        String brought = context.request().getHeader(HEADER);
        String id = isDecent(brought) ? brought : fresh();
        context.response().putHeader(HEADER, id);
        MDC.put(MDC_KEY, id);
    }

    private static boolean isDecent(@Nullable String id) {
        return id != null && DECENT.matcher(id).matches();
    }

    /** Not a secret: so nothing that could block the event loop for want of entropy. */
    private static String fresh() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }
}
