package io.rollcall.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param items in order
 * @param nextCursor what to ask for the next page with; left out on the last one
 */
record Page<T>(List<T> items, @Nullable String nextCursor) {}
