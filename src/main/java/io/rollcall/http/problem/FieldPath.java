package io.rollcall.http.problem;

import java.util.regex.Pattern;

/** Names a place in a JSON document the way people write it: {@code items[3].labels["a.b"]}. */
public final class FieldPath {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
    private static final int MAX_NAME = 128;

    private final StringBuilder path = new StringBuilder();

    /** Steps into a field. */
    public FieldPath field(String name) {
        String shown = name.length() > MAX_NAME ? name.substring(0, MAX_NAME) + "…" : name;
        if (!PLAIN.matcher(shown).matches()) {
            path.append("[\"")
                    .append(shown.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append("\"]");
        } else if (path.isEmpty()) {
            path.append(shown);
        } else {
            path.append('.').append(shown);
        }
        return this;
    }

    /** Steps into an element of an array. */
    public FieldPath index(int index) {
        path.append('[').append(index).append(']');
        return this;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
