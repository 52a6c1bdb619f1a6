package io.rollcall.delegation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What tells whether two bodies are the same. */
public final class Sha256 {
    private Sha256() {}

    /** The hash of a text in UTF-8. */
    public static byte[] of(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** The same in hexadecimal. */
    static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }
}
