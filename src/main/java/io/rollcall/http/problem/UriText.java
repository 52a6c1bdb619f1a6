package io.rollcall.http.problem;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Looks at a request target as it came: every escape must be one, and all of it text that can be stored. */
final class UriText {
    private UriText() {}

    /** What is wrong with it, as in "The path {@code contains …}"; empty if nothing is. */
    static Optional<String> faultIn(String uri) {
        if (!uri.chars().allMatch(character -> character > ' ' && character < 0x7f)) {
            return Optional.of("contains characters that must be percent-encoded");
        }
        return uri.indexOf('%') < 0 ? Optional.empty() : faultInDecoded(uri);
    }

    private static Optional<String> faultInDecoded(String uri) {
        ByteBuffer bytes = ByteBuffer.allocate(uri.length());
        for (int at = 0; at < uri.length(); at++) {
            char character = uri.charAt(at);
            if (character != '%') {
                bytes.put((byte) character);
                continue;
            }
            int value = hexPairAt(uri, at + 1);
            if (value < 0) {
                return Optional.of("contains a % that is not followed by two hexadecimal digits");
            }
            if (value == 0) {
                return Optional.of("contains the character U+0000");
            }
            bytes.put((byte) value);
            at += 2;
        }
        return isUtf8(bytes.flip()) ? Optional.empty() : Optional.of("contains escapes that are not UTF-8");
    }

    private static int hexPairAt(String text, int at) {
        if (at + 2 > text.length()) {
            return -1;
        }
        int high = Character.digit(text.charAt(at), 16);
        int low = Character.digit(text.charAt(at + 1), 16);
        return high < 0 || low < 0 ? -1 : high * 16 + low;
    }

    private static boolean isUtf8(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes) != null; // reports by default
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
