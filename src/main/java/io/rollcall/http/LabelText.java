package io.rollcall.http;

import io.rollcall.delegation.DelegationFilter.Label;
import java.util.Optional;

/** A label and its value as a filter names them: {@code team:search}. */
final class LabelText {
    /** What is wrong with one that cannot be parsed. */
    static final String RULE = "must be a key, a colon and a value";

    private LabelText() {}

    /** The label; empty if there is no key or no colon. */
    static Optional<Label> parse(String text) {
        int colon = text.indexOf(':');
        return colon < 1
                ? Optional.empty()
                : Optional.of(new Label(text.substring(0, colon), text.substring(colon + 1)));
    }
}
