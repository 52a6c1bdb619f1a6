package io.rollcall.http.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The rules for all JSON that comes in and goes out. What is not exactly as the contract says is refused, never bent. */
@Singleton
public class JsonRules implements ObjectMapperCustomizer {
    /** How deep a body may be nested. */
    static final int MAX_DEPTH = 100;

    /** How long one string in a body may be: what is longer cannot be a payload, which may have 256 KiB. */
    static final int MAX_STRING = 1 << 20;

    /** How long a number may be. */
    static final int MAX_NUMBER = 400;

    private static final int MAX_NAME = 1 << 14;

    /** After the modules of Quarkus, which have readers and writers of times as well: the last ones count. */
    @Override
    public int priority() {
        return MINIMUM_PRIORITY;
    }

    @Override
    public void customize(ObjectMapper mapper) {
        limit(mapper.getFactory());
        refuseWhatIsNotInTheContract(mapper);
        refuseCoercions(mapper);
        readTrees(mapper);
        writeAsTheContractSays(mapper);
        mapper.registerModule(timesAndIds());
        mapper.setAnnotationIntrospector(AnnotationIntrospector.pair(
                mapper.getDeserializationConfig().getAnnotationIntrospector(), new EnumWords()));
    }

    private static void limit(JsonFactory factory) {
        factory.setStreamReadConstraints(StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxStringLength(MAX_STRING)
                .maxNumberLength(MAX_NUMBER)
                .maxNameLength(MAX_NAME)
                .build());
        factory.configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false); // names in payloads are anybody's
        factory.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
        factory.enable(JsonGenerator.Feature.COMBINE_UNICODE_SURROGATES_IN_UTF8); // else an emoji is twelve bytes
    }

    private static void refuseWhatIsNotInTheContract(ObjectMapper mapper) {
        mapper.enable(
                DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY,
                DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS);
        mapper.setDefaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL));
    }

    private static void refuseCoercions(ObjectMapper mapper) {
        mapper.configure(MapperFeature.ALLOW_COERCION_OF_SCALARS, false);
        mapper.disable(
                DeserializationFeature.ACCEPT_FLOAT_AS_INT,
                DeserializationFeature.ACCEPT_EMPTY_STRING_AS_NULL_OBJECT,
                DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY,
                DeserializationFeature.UNWRAP_SINGLE_VALUE_ARRAYS);
        for (LogicalType type : LogicalType.values()) {
            if (type != LogicalType.Textual) {
                mapper.coercionConfigFor(type)
                        .setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail)
                        .setAcceptBlankAsEmpty(false);
            }
        }
        mapper.coercionConfigFor(LogicalType.Textual)
                .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
    }

    /** Numbers in payloads keep every digit. */
    private static void readTrees(ObjectMapper mapper) {
        mapper.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        mapper.configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);
    }

    /** What does not apply is left out; a null within a payload is the caller's and stays. */
    private static void writeAsTheContractSays(ObjectMapper mapper) {
        mapper.setDefaultPropertyInclusion(
                JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS));
        mapper.disable(
                SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
    }

    private static SimpleModule timesAndIds() {
        return new SimpleModule("rollcall")
                .addSerializer(Instant.class, new TextSerializer<>(Instant.class, Rfc3339::format))
                .addSerializer(Duration.class, new TextSerializer<>(Duration.class, Duration::toString))
                .addDeserializer(
                        Instant.class, new TextDeserializer<>(Instant.class, Rfc3339::parse, Rfc3339.EXPECTATION))
                .addDeserializer(
                        Duration.class, new TextDeserializer<>(Duration.class, Iso8601::parse, Iso8601.EXPECTATION))
                .addDeserializer(UUID.class, new TextDeserializer<>(UUID.class, Uuids::parse, Uuids.EXPECTATION));
    }
}
