package io.rollcall.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rollcall.http.problem.Problem;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes bodies so that two which say the same are the same text, whatever the order of their fields. */
@Singleton
class CanonicalJson {
    /** The largest payload or result, in bytes of its canonical text. */
    private static final int MAX_DOCUMENT_BYTES = 256 * 1024;

    private final ObjectMapper json;
    private final ObjectMapper sorted;

    CanonicalJson(ObjectMapper json) {
        this.json = json;
        this.sorted = json.copy().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
    }

    /** The whole of a request. */
    String of(Object request) {
        try {
            JsonNode tree = json.valueToTree(request);
            return sorted.writeValueAsString(sorted.treeToValue(tree, Object.class));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("A request that is not JSON", e);
        }
    }

    /** The same; null where there is none. */
    @Nullable
    String ofNullable(@Nullable Object request) {
        return request == null ? null : of(request);
    }

    /** A free document of a request, as it came; null where there is none. Refuses one that is too large. */
    @Nullable
    String document(@Nullable JsonNode tree, String field) {
        if (tree == null || tree.isNull()) {
            return null;
        }
        String text = tree.toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_DOCUMENT_BYTES) {
            throw Problem.invalid(field, "must not be longer than 256 KiB");
        }
        return text;
    }
}
