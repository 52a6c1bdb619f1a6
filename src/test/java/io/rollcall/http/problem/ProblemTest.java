package io.rollcall.http.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTest {
    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyCodeHasAStatusOfAnErrorAndATitle(ErrorCode code) {
        Problem problem = Problem.of(code, "x");
        assertTrue(problem.status() >= 400 && problem.status() < 600);
        assertTrue(problem.title().length() > 3);
        assertTrue(problem.type().matches("urn:rollcall:problem:[a-z]+(-[a-z]+)*"));
    }

    @Test
    void keepsExtensionsOutOfTheStandardMembers() {
        Problem problem = Problem.of(new RefusedException(ErrorCode.LEASE_HELD, "x")
                .with("holder", "a")
                .with("status", "b"));
        assertEquals(1, problem.fields().size());
        assertEquals(409, problem.status());
    }

    @Test
    void takesRetryAfterFromTheRefusal() {
        RefusedException limited = new RefusedException(ErrorCode.TOO_MANY_REQUESTS, "x");
        assertEquals("1", ProblemAnswer.of(limited).headers().get("Retry-After"));
        limited.with(Problem.RETRY_AFTER_S, 17);
        assertEquals("17", ProblemAnswer.of(limited).headers().get("Retry-After"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/v1/a%20b?c=%E2%82%AC&d=%f0%9f%98%80", "/v1/x?label=a:b"})
    void letsSoundUrisPass(String uri) {
        assertEquals(Optional.empty(), UriText.faultIn(uri));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/%4", "/%zz", "/%00", "/%ff", "/%ed%a0%80", "/a b", "/\u00e9", "/\u0007"})
    void seesWhatIsWrongWithAUri(String uri) {
        assertTrue(UriText.faultIn(uri).isPresent());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/things | GET, HEAD, OPTIONS, POST",
                "/v1/things/ | GET, HEAD, OPTIONS, POST",
                "/v1/things/1 | DELETE, OPTIONS",
                "/v1/things/batch | DELETE, OPTIONS, POST",
                "/v1/files/a/b | OPTIONS, PUT",
                "/v1 | ''"
            })
    void knowsWhichMethodsAPathHas(String path, String methods) {
        AllowedMethods allowed = new AllowedMethods();
        allowed.add("/v1/things", "GET");
        allowed.add("/v1/things", "POST");
        allowed.add("/v1/things/{id}", "DELETE");
        allowed.add("/v1/things/batch", "POST");
        allowed.add("/v1/files/{path:.+}", "PUT");
        assertEquals(methods, allowed.header(path));
    }

    @Test
    void writesPathsAsPeopleDo() {
        assertEquals(
                "items[3].labels[\"a.\\\"b\"]",
                new FieldPath()
                        .field("items")
                        .index(3)
                        .field("labels")
                        .field("a.\"b")
                        .toString());
    }
}
