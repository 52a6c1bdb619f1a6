package io.rollcall.http;

import static io.rollcall.http.Wire.answerTo;
import static io.rollcall.http.Wire.chunk;
import static io.rollcall.http.Wire.head;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much a request may carry, and in which bytes. Over bare sockets: client libraries are too well-behaved. */
@QuarkusTest
class EdgeLimitsTest {
    private static final String ECHO = "/v1/edge-probe/echo";
    private static final String JSON = "Content-Type: application/json";
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MIB = 1 << 20;

    private static void isProblem(String answer, int status, String name) {
        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
        assertTrue(answer.contains("application/problem+json"), answer);
        assertTrue(answer.contains("\"urn:rollcall:problem:" + name + "\""), answer);
    }

    private static byte[] spaces(int length) {
        byte[] spaces = new byte[length];
        Arrays.fill(spaces, (byte) ' ');
        return spaces;
    }

    /** Valid JSON of exactly that length. */
    private static byte[] bodyOf(int length) {
        byte[] body = spaces(length);
        body[0] = '{';
        body[length - 1] = '}';
        return body;
    }

    private static String post(String path, byte[] body) throws IOException {
        return answerTo(head("POST", path, JSON, "Content-Length: " + body.length), body);
    }

    @ParameterizedTest
    @ValueSource(strings = {ECHO, ECHO + "/event-loop"})
    void takesAMebibyteAndNotAByteMore(String path) throws IOException {
        assertTrue(post(path, bodyOf(MIB)).startsWith("HTTP/1.1 200 "));
        isProblem(post(path, bodyOf(MIB + 1)), 413, "content-too-large");
    }

    @ParameterizedTest
    @ValueSource(strings = {ECHO, ECHO + "/event-loop"})
    void countsABodyWhoseLengthIsNotAnnounced(String path) throws IOException {
        byte[] head = head("POST", path, JSON, "Transfer-Encoding: chunked");
        String fits = answerTo(head, chunk(bodyOf(MIB)), LAST_CHUNK);
        assertTrue(fits.startsWith("HTTP/1.1 200 "), fits);
        isProblem(answerTo(head, chunk(spaces(MIB)), chunk(spaces(MIB)), LAST_CHUNK), 413, "content-too-large");
    }

    @Test
    void hangsUpOnABodyWithoutEnd() throws IOException {
        byte[][] parts = new byte[65][];
        parts[0] = head("POST", ECHO, JSON, "Transfer-Encoding: chunked");
        Arrays.fill(parts, 1, parts.length, chunk(spaces(MIB)));
        isProblem(answerTo(parts), 413, "content-too-large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/heartbeats", "/v1/delegations/batch"})
    void lastsLongerForBatches(String path) throws IOException {
        String longerThanOrdinary = post(path, bodyOf(2 * MIB));
        assertTrue(!longerThanOrdinary.startsWith("HTTP/1.1 413 "), longerThanOrdinary);
        isProblem(answerTo(head("POST", path, JSON, "Content-Length: " + (16 * MIB + 1))), 413, "content-too-large");
    }

    @Test
    void refusesBytesThatAreNotUtf8() throws IOException {
        for (int[] bad : new int[][] {{0xe9}, {0xc0, 0x80}, {0xed, 0xa0, 0x80}, {0xff}, {0xf4, 0x90, 0x80, 0x80}}) {
            byte[] body = "{\"text\":\"????\"}".getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < bad.length; i++) {
                body[9 + i] = (byte) bad[i];
            }
            String answer = post(ECHO, body);
            isProblem(answer, 400, "invalid-request");
            assertTrue(answer.contains("not UTF-8 at byte 9"), answer);
        }
    }

    @Test
    void refusesOtherUnicodesAndRawU0000() throws IOException {
        isProblem(post(ECHO, "{\"text\":\"a\"}".getBytes(StandardCharsets.UTF_16LE)), 400, "invalid-request");
        isProblem(post(ECHO, "{\"text\":\"a\"}".getBytes(StandardCharsets.UTF_16)), 400, "invalid-request");
        isProblem(post(ECHO, "{\"text\":\"\0\"}".getBytes(StandardCharsets.UTF_8)), 400, "invalid-request");
    }

    @Test
    void refusesAUriThatIsTooLong() throws IOException {
        String longer = "/v1/" + "a".repeat(8_192);
        assumeTrue(longer.length() < 60_000, "Vert.x itself answers beyond its own limit");
        isProblem(answerTo(head("GET", longer)), 414, "uri-too-long");
    }

    @Test
    void refusesHeadersThatAreTooLong() throws IOException {
        isProblem(answerTo(head("GET", "/", "X-Long: " + "a".repeat(17_000))), 431, "headers-too-large");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/a%00b", "/v1/x?a=%00", "/v1/x?a=%ff", "/v1/x?a=%ED%A0%80", "/v1/%c0%80"})
    void refusesEscapesThatAreNoText(String uri) throws IOException {
        isProblem(answerTo(head("GET", uri)), 400, "invalid-request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/%", "/v1/%zz", "/v1/x?a=%1", "/v1/x?a=%g0", "/v1/caf\u00e9"})
    void refusesWhatIsNoUri(String uri) throws IOException {
        assumeTrue(Boolean.getBoolean("vertx.disableURIValidation"), "else Quarkus answers before us, without a body");
        isProblem(answerTo(head("GET", uri)), 400, "invalid-request");
    }

    @Test
    void keepsTheConnectionAfterARefusalThatLeftTheBodyUnread() throws IOException {
        byte[] text = head("POST", ECHO, "Content-Type: text/plain", "Content-Length: 500000");
        byte[] kept = new String(text, StandardCharsets.ISO_8859_1)
                .replace("Connection: close\r\n", "")
                .getBytes(StandardCharsets.ISO_8859_1);
        String answers = answerTo(kept, spaces(500_000), head("GET", "/nope"));
        isProblem(answers, 415, "unsupported-media-type");
        assertTrue(answers.contains("HTTP/1.1 404 "), answers);
    }
}
