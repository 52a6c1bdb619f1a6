package io.rollcall.http;

import org.jspecify.annotations.Nullable;

/** How long pages are. */
final class Paging {
    /** Items where the request does not say how many. */
    private static final int DEFAULT_LIMIT = 50;

    /** The most items that a request may ask for. */
    static final int MAX_LIMIT = 500;

    private Paging() {}

    /** How many items a page has at most, as the request says or does not say. */
    static int limit(@Nullable Integer asked) {
        return asked == null ? DEFAULT_LIMIT : asked;
    }
}
