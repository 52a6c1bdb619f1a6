package io.rollcall.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.DatabindException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import io.rollcall.http.json.JsonViolations;
import io.rollcall.liveness.Probe;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads heartbeats straight from the document, one by one: a bad one is read to its end, and spoils no other. What is not
 * JSON at all spoils the whole.
 */
class BulkItemReader extends StdDeserializer<BulkItemReader.Read> {
    private static final long serialVersionUID = 1L;

    BulkItemReader() {
        super(Read.class);
    }

    /**
     * An item as far as it could be read.
     *
     * @param id of the delegation that it names, if it does
     * @param item null where it could not be read
     * @param fault why it could not be read
     */
    record Read(
            @Nullable UUID id,
            @Nullable BulkItem item,
            @Nullable String fault) {
        static Read nothing() {
            return new Read(null, null, "is not a heartbeat");
        }
    }

    @Override
    public Read deserialize(JsonParser json, DeserializationContext context) throws IOException {
        if (!json.hasToken(JsonToken.START_OBJECT)) {
            json.skipChildren();
            return Read.nothing();
        }
        Fields fields = new Fields(json, context);
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            fields.read(name);
        }
        return fields.toRead();
    }

    /** One among them that is null is a bad item, not a bad request. */
    @Override
    public Read getNullValue(DeserializationContext context) {
        return Read.nothing();
    }

    /** The fields of one item, and the first fault that was found. */
    private static final class Fields {
        private final JsonParser json;
        private final DeserializationContext context;
        private @Nullable UUID id;
        private @Nullable Long epoch;
        private @Nullable Double progress;
        private @Nullable String note;
        private @Nullable String effect;
        private @Nullable Duration leaseTime;
        private @Nullable String instance;
        private @Nullable Probe probe;
        private @Nullable String fault;

        Fields(JsonParser json, DeserializationContext context) {
            this.json = json;
            this.context = context;
        }

        void read(String name) throws IOException {
            try {
                switch (name) {
                    case "id" -> id = value(UUID.class);
                    case "epoch" -> epoch = value(Long.class);
                    case "progress" -> progress = value(Double.class);
                    case "note" -> note = value(String.class);
                    case "effect" -> effect = value(String.class);
                    case "leaseTime" -> leaseTime = value(Duration.class);
                    case "instance" -> instance = value(String.class);
                    case "probe" -> probe = structure(Probe.class);
                    default -> refuse(name, "is not a field that is known here");
                }
            } catch (DatabindException | InputCoercionException e) {
                refuse(name, JsonViolations.of((JsonProcessingException) e).message());
            }
        }

        private <T> @Nullable T value(Class<T> type) throws IOException {
            return json.hasToken(JsonToken.VALUE_NULL) ? null : context.readValue(json, type);
        }

        /** Read to its end before it is looked at, so that what follows is found whatever is wrong with it. */
        private <T> @Nullable T structure(Class<T> type) throws IOException {
            JsonNode tree = context.readTree(json);
            return tree.isNull() ? null : context.readTreeAsValue(tree, type);
        }

        private void refuse(String name, String message) throws IOException {
            json.skipChildren();
            fault = fault == null ? name + " " + message : fault;
        }

        Read toRead() {
            if (fault != null) {
                return new Read(id, null, fault);
            }
            if (id == null) {
                return new Read(null, null, "id must not be null");
            }
            var request = new HeartbeatRequest(epoch, progress, note, effect, leaseTime, instance, probe);
            return new Read(id, new BulkItem(id, request), null);
        }
    }
}
