package io.rollcall.http.problem;

import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds which parameter it was that a converter refused. */
final class ParameterNames {
    private ParameterNames() {}

    static ProblemAnswer complete(ProblemAnswer answer, Throwable failure, UriInfo uri) {
        return refusedIn(failure)
                .flatMap(refused -> nameOf(refused.value(), uri)
                        .map(name -> ProblemAnswer.of(Problem.invalid(name, refused.expectation()))))
                .orElse(answer);
    }

    private static Optional<ParameterRefusedException> refusedIn(Throwable failure) {
        return Stream.of(failure, failure.getCause())
                .filter(ParameterRefusedException.class::isInstance)
                .map(ParameterRefusedException.class::cast)
                .findFirst();
    }

    private static Optional<String> nameOf(String value, UriInfo uri) {
        return nameOf(value, uri.getQueryParameters()).or(() -> nameOf(value, uri.getPathParameters()));
    }

    private static Optional<String> nameOf(String value, MultivaluedMap<String, String> parameters) {
        return parameters.entrySet().stream()
                .filter(parameter -> parameter.getValue().contains(value))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
