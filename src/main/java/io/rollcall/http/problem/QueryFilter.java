package io.rollcall.http.problem;

import io.rollcall.error.Violation;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Refuses query parameters that a method does not have, and single ones that come twice: a typo must not go unnoticed. */
class QueryFilter implements ContainerRequestFilter {
    private final QueryNames names;

    QueryFilter(QueryNames names) {
        this.names = names;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        List<Violation> violations = new ArrayList<>();
        for (Map.Entry<String, List<String>> parameter :
                request.getUriInfo().getQueryParameters().entrySet()) {
            String name = parameter.getKey();
            if (!names.isKnown(name)) {
                violations.add(new Violation(name, "is not a parameter here; " + names.sentence()));
            } else if (parameter.getValue().size() > 1 && !names.isRepeatable(name)) {
                violations.add(new Violation(name, "may be given only once"));
            } else if (parameter.getValue().stream().anyMatch(String::isEmpty)) {
                violations.add(new Violation(name, "must not be empty")); // the framework would take it for absent
            }
        }
        if (!violations.isEmpty()) {
            throw Problem.invalid(violations);
        }
    }
}
