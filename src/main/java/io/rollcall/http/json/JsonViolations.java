package io.rollcall.http.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.rollcall.error.Violation;
import io.rollcall.http.problem.FieldPath;
import java.util.ArrayDeque;
import java.util.Deque;

/** Says what is wrong with a JSON document, and where, in words for its author: Jackson's own speak of Java classes. */
public final class JsonViolations {
    private JsonViolations() {}

    /** What Jackson refused. Within a map or a tree it wraps what went wrong: the innermost failure knows best. */
    public static Violation of(JsonProcessingException failure) {
        JsonProcessingException innermost = failure;
        while (innermost.getCause() instanceof JsonProcessingException cause) {
            innermost = cause;
        }
        String stoodAt = innermost instanceof JsonMappingException ? "" : pathOf(innermost.getProcessor());
        String field = stoodAt.isEmpty() && failure instanceof JsonMappingException outer ? pathOf(outer) : stoodAt;
        return new Violation(field, messageOf(innermost));
    }

    private static String messageOf(JsonProcessingException failure) {
        if (failure instanceof RefusedValueException) {
            return failure.getOriginalMessage();
        } else if (failure instanceof UnrecognizedPropertyException) {
            return "is not a field that is known here";
        } else if (failure instanceof InvalidNullException) {
            return "must not be null";
        } else if (failure instanceof InputCoercionException coercion) {
            return isOverflow(coercion) ? "is a number out of range" : Expectations.of(coercion.getTargetType());
        } else if (failure instanceof StreamConstraintsException) {
            return messageOfLimit(String.valueOf(failure.getOriginalMessage()));
        } else if (failure instanceof InvalidTypeIdException) {
            return "must have a kind that is known here";
        } else if (failure instanceof MismatchedInputException mismatch) {
            return messageOfMismatch(mismatch);
        } else if (failure instanceof JsonMappingException) {
            return "cannot be read";
        }
        return messageOfSyntax(failure);
    }

    private static boolean isOverflow(InputCoercionException failure) {
        return String.valueOf(failure.getOriginalMessage()).contains("out of range");
    }

    private static String messageOfLimit(String original) {
        if (original.contains("nesting depth")) {
            return "is nested deeper than " + JsonRules.MAX_DEPTH + " levels";
        } else if (original.startsWith("String")) {
            return "is longer than " + JsonRules.MAX_STRING + " characters";
        } else if (original.startsWith("Number")) {
            return "is a number that is too long";
        }
        return "goes beyond a limit for JSON documents";
    }

    private static String messageOfMismatch(MismatchedInputException failure) {
        String original = String.valueOf(failure.getOriginalMessage());
        if (original.startsWith("Trailing token")) {
            return "has something after its end";
        } else if (original.contains("map `null` into") || original.contains("Null value for")) {
            return "must not be null";
        } else if (original.contains("out of range") || original.contains("Out of range")) {
            return "is a number out of range";
        }
        return Expectations.of(failure.getTargetType());
    }

    private static String messageOfSyntax(JsonProcessingException failure) {
        String original = String.valueOf(failure.getOriginalMessage());
        if (original.startsWith("Duplicate")) {
            return "is given more than once, the second time " + placeOf(failure);
        } else if (failure instanceof JsonEOFException) {
            return "ends before the JSON does, " + placeOf(failure);
        }
        return "is not valid JSON, " + placeOf(failure);
    }

    private static String placeOf(JsonProcessingException failure) {
        JsonLocation place = failure.getLocation();
        return place == null ? "somewhere" : "at line " + place.getLineNr() + ", column " + place.getColumnNr();
    }

    private static String pathOf(JsonMappingException failure) {
        FieldPath path = new FieldPath();
        for (JsonMappingException.Reference step : failure.getPath()) {
            if (step.getFieldName() != null) {
                path.field(step.getFieldName());
            } else if (step.getIndex() >= 0) {
                path.index(step.getIndex());
            }
        }
        return path.toString();
    }

    /** Where the parser stood: what Jackson itself refuses, such as a number out of range, has no path. */
    private static String pathOf(Object processor) {
        FieldPath path = new FieldPath();
        if (processor instanceof JsonParser parser) {
            Deque<JsonStreamContext> steps = new ArrayDeque<>();
            for (JsonStreamContext at = parser.getParsingContext(); at != null && !at.inRoot(); at = at.getParent()) {
                steps.push(at);
            }
            steps.forEach(step -> append(path, step));
        }
        return path.toString();
    }

    private static void append(FieldPath path, JsonStreamContext step) {
        if (step.inArray() && step.hasCurrentIndex()) {
            path.index(step.getCurrentIndex());
        } else if (step.inObject() && step.getCurrentName() != null) {
            path.field(step.getCurrentName());
        }
    }
}
