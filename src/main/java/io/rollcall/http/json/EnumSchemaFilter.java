package io.rollcall.http.json;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.media.Schema;

/** Shows enums in the API's document as they are in JSON: {@link EnumWords} for readers. */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class EnumSchemaFilter implements OASFilter {
    private static final Pattern CONSTANT = Pattern.compile("[A-Z][A-Z0-9_]*");

    @Override
    public Schema filterSchema(Schema schema) {
        List<Object> values = schema.getEnumeration();
        if (values != null) {
            schema.setEnumeration(values.stream().map(EnumSchemaFilter::asWord).toList());
        }
        return schema;
    }

    private static Object asWord(Object value) {
        return value instanceof String name && CONSTANT.matcher(name).matches() ? name.toLowerCase(Locale.ROOT) : value;
    }
}
