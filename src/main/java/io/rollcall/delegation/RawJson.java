package io.rollcall.delegation;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * JSON that is passed on as it is.
 *
 * @param text one JSON value
 */
@RegisterForReflection
public record RawJson(@JsonValue @JsonRawValue String text) {}
