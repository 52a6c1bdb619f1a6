package io.rollcall.http.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.util.function.Function;

/** Writes a value as a string. */
class TextSerializer<T> extends StdScalarSerializer<T> {
    private static final long serialVersionUID = 1L;

    private final transient Function<T, String> writer;

    TextSerializer(Class<T> type, Function<T, String> writer) {
        super(type);
        this.writer = writer;
    }

    @Override
    public void serialize(T value, JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeString(writer.apply(value));
    }
}
