package io.rollcall.http.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/** Reads a value that the API writes as a string, and from nothing but a string. */
class TextDeserializer<T> extends StdScalarDeserializer<T> {
    private static final long serialVersionUID = 1L;

    private final transient Function<String, Optional<T>> parser;
    private final String expectation;

    TextDeserializer(Class<T> type, Function<String, Optional<T>> parser, String expectation) {
        super(type);
        this.parser = parser;
        this.expectation = expectation;
    }

    @Override
    public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
        if (!json.hasToken(JsonToken.VALUE_STRING)) {
            throw new RefusedValueException(json, expectation);
        }
        Optional<T> value = parser.apply(json.getText());
        if (value.isEmpty()) {
            throw new RefusedValueException(json, expectation);
        }
        return value.get();
    }
}
