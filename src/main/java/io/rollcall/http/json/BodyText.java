package io.rollcall.http.json;

import io.rollcall.error.RefusedException;
import io.rollcall.http.problem.Problem;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Looks at the bytes of a body for what PostgreSQL cannot store, wherever in the document it stands: bytes that are not
 * UTF-8, U+0000, half of a surrogate pair, numbers beyond the range of a double. One pass that knows of JSON only what a
 * string and a number are; whether it is JSON at all is for the parser to say.
 */
final class BodyText {
    private static final int CHUNK = 8192;
    private static final int MAX_MAGNITUDE = 308;
    private static final int MIN_MAGNITUDE = -400;

    private final byte[] body;

    private BodyText(byte[] body) {
        this.body = body;
    }

    /** Refuses a body that has any of it. */
    static void check(byte[] body, boolean json) {
        BodyText text = new BodyText(body);
        text.refuseWhatIsNotUtf8();
        if (json) {
            text.scan();
        }
    }

    private void refuseWhatIsNotUtf8() {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder(); // reports what is malformed, surrogates included
        ByteBuffer bytes = ByteBuffer.wrap(body);
        CharBuffer chunk = CharBuffer.allocate(Math.min(body.length + 1, CHUNK));
        CoderResult result;
        do {
            chunk.clear();
            result = decoder.decode(bytes, chunk, true);
            if (result.isError()) {
                throw refusal("is not UTF-8 at byte " + bytes.position());
            }
        } while (result.isOverflow());
    }

    private void scan() {
        boolean inString = false;
        int at = 0;
        while (at < body.length) {
            byte next = body[at];
            if (next == 0) {
                throw nul(at);
            } else if (next == '"') {
                inString = !inString;
                at++;
            } else if (inString) {
                at = next == '\\' ? afterEscape(at) : at + 1;
            } else {
                at = isInNumber(next) ? afterNumber(at) : at + 1;
            }
        }
    }

    private int afterEscape(int at) {
        if (byteAt(at + 1) != 'u') {
            return at + 2;
        }
        int unit = unitAt(at);
        if (unit == 0) {
            throw nul(at);
        } else if (unit < 0 || !Character.isSurrogate((char) unit)) {
            return at + 2; // no escape at all, or a harmless one
        }
        int second = byteAt(at + 6) == '\\' && byteAt(at + 7) == 'u' ? unitAt(at + 6) : -1;
        if (Character.isHighSurrogate((char) unit) && second >= 0 && Character.isLowSurrogate((char) second)) {
            return at + 12;
        }
        throw refusal("contains half of a surrogate pair at byte " + at);
    }

    /** The code unit of the escape that begins there, -1 if it is none. */
    private int unitAt(int at) {
        int unit = 0;
        for (int digit = at + 2; digit < at + 6; digit++) {
            int value = Character.digit(byteAt(digit), 16);
            if (value < 0) {
                return -1;
            }
            unit = unit * 16 + value;
        }
        return unit;
    }

    private int afterNumber(int start) {
        int at = start;
        int wholeDigits = 0;
        while (at < body.length && isInNumber(body[at]) && isDigitOrSign(body[at])) {
            wholeDigits += body[at] >= '0' ? 1 : 0;
            at++;
        }
        while (at < body.length && isInNumber(body[at]) && (body[at] | 0x20) != 'e') {
            at++;
        }
        int exponentStart = at;
        while (at < body.length && isInNumber(body[at])) {
            at++;
        }
        int magnitude = wholeDigits - 1 + exponent(exponentStart, at);
        if (magnitude > MAX_MAGNITUDE || magnitude < MIN_MAGNITUDE) {
            throw refusal("contains a number out of range at byte " + start);
        }
        return at;
    }

    /** The value of {@code e-12}; anything too long for an int is as good as infinite. */
    private int exponent(int from, int to) {
        int value = 0;
        boolean negative = false;
        for (int at = from; at < to; at++) {
            negative |= body[at] == '-';
            if (body[at] >= '0' && body[at] <= '9') {
                value = Math.min(value * 10 + body[at] - '0', 1_000_000);
            }
        }
        return negative ? -value : value;
    }

    private static boolean isInNumber(byte character) {
        return isDigitOrSign(character) || character == '.' || character == 'e' || character == 'E';
    }

    private static boolean isDigitOrSign(byte character) {
        return (character >= '0' && character <= '9') || character == '-' || character == '+';
    }

    private int byteAt(int at) {
        return at < body.length ? body[at] : -1;
    }

    private static RefusedException nul(int at) {
        return refusal("contains the character U+0000 at byte " + at);
    }

    private static RefusedException refusal(String message) {
        return Problem.invalid("", message);
    }
}
