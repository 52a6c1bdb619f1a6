package io.rollcall.http.json;

import java.util.Optional;
import java.util.UUID;

/** UUIDs in their one usual form: the parsers of Java and Jackson take shortened and Base64 ones, too. */
public final class Uuids {
    /** What a text that is no UUID is told. */
    public static final String EXPECTATION = "must be a UUID, such as 01890a5d-ac96-774b-bcce-b302099a8057";

    private static final int LENGTH = 36;

    private Uuids() {}

    /** The UUID of that text; empty if it is none. */
    public static Optional<UUID> parse(String text) {
        if (text.length() != LENGTH) {
            return Optional.empty();
        }
        try {
            return Optional.of(UUID.fromString(text)).filter(id -> id.toString().equalsIgnoreCase(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
