package io.rollcall.http.json;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a field must be, told without naming the Java type behind it. */
final class Expectations {
    private static final Set<Class<?>> WHOLE_NUMBERS = Set.of(
            int.class,
            long.class,
            short.class,
            byte.class,
            Integer.class,
            Long.class,
            Short.class,
            Byte.class,
            java.math.BigInteger.class);

    private Expectations() {}

    static String of(@Nullable Class<?> type) {
        if (type == null) {
            return "has a value of another type";
        } else if (WHOLE_NUMBERS.contains(type)) {
            return "must be a whole number";
        } else if (Number.class.isAssignableFrom(type) || type == double.class || type == float.class) {
            return "must be a number";
        } else if (type == boolean.class || type == Boolean.class) {
            return "must be true or false";
        } else if (CharSequence.class.isAssignableFrom(type)) {
            return "must be a string";
        } else if (type.isEnum()) {
            return "must be one of " + wordsOf(type);
        } else if (type.isArray() || Collection.class.isAssignableFrom(type)) {
            return "must be an array";
        }
        return ofObject(type);
    }

    private static String ofObject(Class<?> type) {
        return Map.class.isAssignableFrom(type) || type.getName().startsWith("io.rollcall.")
                ? "must be an object"
                : "has a value of another type";
    }

    static String wordsOf(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> EnumWords.wordOf((Enum<?>) constant))
                .collect(Collectors.joining(", "));
    }
}
