package io.rollcall.http.problem;

import io.rollcall.error.Violation;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import java.util.Comparator;
import java.util.List;

/** Says in the words of the request what Bean Validation found, without the names of methods and parameters. */
final class ConstraintViolations {
    private ConstraintViolations() {}

    /** Whether the request is to blame: a wrong return value is a fault of the service. */
    static boolean blameTheRequest(ConstraintViolationException failure) {
        for (ConstraintViolation<?> violation : failure.getConstraintViolations()) {
            for (Path.Node node : violation.getPropertyPath()) {
                if (node.getKind() == ElementKind.RETURN_VALUE) {
                    return false;
                }
            }
        }
        return !failure.getConstraintViolations().isEmpty();
    }

    static List<Violation> of(ConstraintViolationException failure) {
        return failure.getConstraintViolations().stream()
                .map(violation -> new Violation(fieldOf(violation.getPropertyPath()), violation.getMessage()))
                .distinct()
                .sorted(Comparator.comparing(Violation::field).thenComparing(Violation::message))
                .toList();
    }

    private static String fieldOf(Path path) {
        FieldPath field = new FieldPath();
        String parameter = "";
        for (Path.Node node : path) {
            if (node.getKind() == ElementKind.PARAMETER) {
                parameter = String.valueOf(node.getName());
            }
            appendTo(field, node);
        }
        String inside = field.toString();
        return inside.isEmpty() ? parameter : inside;
    }

    private static void appendTo(FieldPath field, Path.Node node) {
        if (node.isInIterable() && node.getIndex() != null) {
            field.index(node.getIndex());
        } else if (node.isInIterable() && node.getKey() != null) {
            field.field(node.getKey().toString());
        }
        if (node.getKind() == ElementKind.PROPERTY && node.getName() != null) {
            field.field(node.getName());
        }
    }
}
