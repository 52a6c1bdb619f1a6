package io.rollcall.http.json;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** UUIDs in their one usual form: the parsers of Java and Jackson take shortened and Base64 ones, too. */
public final class Uuids {
    /** What a text that is no UUID is told. */
    public static final String EXPECTATION = "must be a UUID, such as 01890a5d-ac96-774b-bcce-b302099a8057";

    private static final Pattern SHAPE = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    private Uuids() {}

    /** The UUID of that text; empty if it is none. */
    public static Optional<UUID> parse(String text) {
        return SHAPE.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
    }
}
