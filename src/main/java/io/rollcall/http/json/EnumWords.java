package io.rollcall.http.json;

import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import java.util.Locale;

/** Enums of ours are lower-case words in JSON: {@code in_progress}. The domain need not know of JSON for that. */
class EnumWords extends NopAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public String[] findEnumValues(
            MapperConfig<?> config, AnnotatedClass annotatedClass, Enum<?>[] enumValues, String[] names) {
        if (annotatedClass.getRawType().getName().startsWith("io.rollcall.")) {
            for (int i = 0; i < enumValues.length; i++) {
                if (names[i] == null) {
                    names[i] = wordOf(enumValues[i]);
                }
            }
        }
        return names;
    }

    static String wordOf(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
