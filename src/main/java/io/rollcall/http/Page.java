package io.rollcall.http;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param items in order
 * @param nextCursor what to ask for the next page with; left out on the last one
 */
record Page<T>(List<T> items, @Nullable String nextCursor) {

    /**
     * A page out of what was found for it.
     *
     * @param found in order; one more than {@code limit} where there is a next page
     * @param view of an item
     * @param cursor by which the page after an item is asked for
     */
    static <R, T> Page<T> of(List<R> found, int limit, Function<R, T> view, Function<R, String> cursor) {
        List<T> items = found.stream().limit(limit).map(view).toList();
        return new Page<>(items, items.size() < found.size() ? cursor.apply(found.get(limit - 1)) : null);
    }
}
