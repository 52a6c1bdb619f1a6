package io.rollcall.http;

/** How long pages are. */
final class Paging {
    /** Items where the request does not say how many. */
    static final int DEFAULT_LIMIT = 50;

    /** The most items that a request may ask for. */
    static final int MAX_LIMIT = 500;

    private Paging() {}
}
