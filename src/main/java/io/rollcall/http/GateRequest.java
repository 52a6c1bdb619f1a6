package io.rollcall.http;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;

/**
 * A check that says whether work reported as successful may count as completed: the delegation is POSTed to it, and it
 * answers with 2xx and {@code {"pass": true|false, "detail": ...}}.
 *
 * @param url by https, to a public address, unless the service's settings allow others
 * @param timeout how long an answer is waited for, PT1S to PT5S; five seconds unless stated
 * @param headers the names of secrets (settings of the service) by the headers that are to carry them, up to 10
 */
@Schema(
        name = "Gate",
        example = "{\"url\": \"https://ci.example.org/gate\", \"timeout\": \"PT3S\","
                + " \"headers\": {\"Authorization\": \"ci\"}}")
record GateRequest(
        @NotNull @Size(min = 1, max = 2_000) String url,

        @Nullable @DurationMin(seconds = 1, message = TIMEOUT) @DurationMax(seconds = 5, message = TIMEOUT)
        Duration timeout,

        @Nullable @Size(max = 10)
        Map<@Pattern(regexp = HEADER, message = "must be the name of a header that may be set") String, @NotNull String>
                headers) {

    private static final String TIMEOUT = "must be from PT1S to PT5S";

    /** Not those that say where the call goes, how long it is, or what it is. */
    private static final String HEADER =
            "(?i)(?!(host|content-.*|transfer-encoding|connection|upgrade|te|trailer|expect"
                    + "|accept|user-agent|proxy-.*)$)[a-z0-9-]{1,64}";
}
