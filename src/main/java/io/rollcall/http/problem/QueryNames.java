package io.rollcall.http.problem;

import jakarta.ws.rs.QueryParam;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jboss.resteasy.reactive.RestQuery;

/** The query parameters that one resource method declares, in its own list or in a bean of parameters. */
final class QueryNames {
    /** By name, whether it may be repeated. */
    private final SortedMap<String, Boolean> known = new TreeMap<>();

    private QueryNames() {}

    static QueryNames of(Method method) {
        QueryNames names = new QueryNames();
        for (Parameter parameter : method.getParameters()) {
            Optional<String> name = declaredName(parameter, parameter.getName());
            if (name.isPresent()) {
                names.add(name.get(), parameter.getType());
            } else {
                names.addFieldsOf(parameter.getType());
            }
        }
        return names;
    }

    boolean isKnown(String name) {
        return known.containsKey(name);
    }

    boolean isRepeatable(String name) {
        return Boolean.TRUE.equals(known.get(name));
    }

    /** Which there are. */
    String sentence() {
        return known.isEmpty() ? "there are none" : "there are " + String.join(", ", known.keySet());
    }

    /** Nothing in there for any type but a bean of parameters. */
    private void addFieldsOf(Class<?> type) {
        for (Class<?> next = type; next != null && isOurs(next); next = next.getSuperclass()) {
            for (Field field : next.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    declaredName(field, field.getName()).ifPresent(name -> add(name, field.getType()));
                }
            }
        }
    }

    private static boolean isOurs(Class<?> type) {
        return !type.isPrimitive() && !type.isArray() && type.getName().startsWith("io.rollcall.");
    }

    private void add(String name, Class<?> type) {
        known.put(name, type.isArray() || Collection.class.isAssignableFrom(type));
    }

    private static Optional<String> declaredName(AnnotatedElement element, String javaName) {
        RestQuery restQuery = element.getAnnotation(RestQuery.class);
        if (restQuery != null) {
            return Optional.of(restQuery.value().isEmpty() ? javaName : restQuery.value());
        }
        return Optional.ofNullable(element.getAnnotation(QueryParam.class)).map(QueryParam::value);
    }
}
