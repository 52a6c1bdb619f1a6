package io.rollcall.http.json;

import io.rollcall.http.problem.ParameterRefusedException;
import jakarta.ws.rs.ext.ParamConverter;
import jakarta.ws.rs.ext.ParamConverterProvider;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads parameters of path and query by the same rules as bodies; a bad value is a 400 that names the parameter. */
@Provider
public class ParameterConverters implements ParamConverterProvider {
    private static final Map<Class<?>, ParamConverter<?>> CONVERTERS = Map.ofEntries(
            entry(UUID.class, Uuids::parse, UUID::toString, Uuids.EXPECTATION),
            entry(Instant.class, Rfc3339::parse, Rfc3339::format, Rfc3339.EXPECTATION),
            entry(Duration.class, Iso8601::parse, Duration::toString, Iso8601.EXPECTATION),
            entry(Integer.class, ParameterConverters::integer, Object::toString, "must be a whole number"),
            entry(int.class, ParameterConverters::integer, Object::toString, "must be a whole number"),
            entry(Long.class, ParameterConverters::whole, Object::toString, "must be a whole number"),
            entry(long.class, ParameterConverters::whole, Object::toString, "must be a whole number"),
            entry(Boolean.class, ParameterConverters::truth, Object::toString, "must be true or false"),
            entry(boolean.class, ParameterConverters::truthOrAbsence, Object::toString, "must be true or false"));

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable ParamConverter<T> getConverter(Class<T> rawType, Type genericType, Annotation[] annotations) {
        return (ParamConverter<T>) (rawType.isEnum() ? ofEnum(rawType) : CONVERTERS.get(rawType));
    }

    private static <T> Map.Entry<Class<?>, ParamConverter<?>> entry(
            Class<T> type, Function<String, Optional<T>> parser, Function<T, String> writer, String expectation) {
        return Map.entry(type, new Converter<>(parser, writer, expectation));
    }

    private static ParamConverter<?> ofEnum(Class<?> type) {
        return new Converter<Enum<?>>(
                text -> Arrays.stream(type.getEnumConstants())
                        .<Enum<?>>map(Enum.class::cast)
                        .filter(constant -> EnumWords.wordOf(constant).equals(text))
                        .findFirst(),
                EnumWords::wordOf,
                "must be one of " + Expectations.wordsOf(type));
    }

    private static Optional<Integer> integer(String text) {
        return whole(text).filter(value -> value == value.intValue()).map(Long::intValue);
    }

    private static Optional<Long> whole(String text) {
        try {
            return text.startsWith("+") ? Optional.empty() : Optional.of(Long.valueOf(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Boolean> truth(String text) {
        return switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /** The framework says "0" for a primitive that is absent, whatever its type. */
    private static Optional<Boolean> truthOrAbsence(String text) {
        return text.equals("0") ? Optional.of(false) : truth(text);
    }

    private record Converter<T>(Function<String, Optional<T>> parser, Function<T, String> writer, String expectation)
            implements ParamConverter<T> {

        /** An absent parameter stays absent. */
        @Override
        public @Nullable T fromString(@Nullable String value) {
            if (value == null) {
                return null;
            }
            return parser.apply(value).orElseThrow(() -> new ParameterRefusedException(value, expectation));
        }

        @Override
        public String toString(T value) {
            return writer.apply(value);
        }
    }
}
