package io.rollcall.http.problem;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every resource method once, while the application is built: so reflection is no matter for a native image.
 * Learns which methods a path has, and guards its query parameters.
 */
@Provider
public class ResourceFeature implements DynamicFeature {
    private final AllowedMethods allowedMethods;

    ResourceFeature(AllowedMethods allowedMethods) {
        this.allowedMethods = allowedMethods;
    }

    @Override
    public void configure(ResourceInfo resource, FeatureContext context) {
        Method method = resource.getResourceMethod();
        String template = pathOf(resource.getResourceClass().getAnnotation(Path.class))
                + pathOf(method.getAnnotation(Path.class));
        for (Annotation annotation : method.getAnnotations()) {
            HttpMethod httpMethod = annotation.annotationType().getAnnotation(HttpMethod.class);
            if (httpMethod != null) {
                allowedMethods.add(template.isEmpty() ? "/" : template, httpMethod.value());
            }
        }
        context.register(new QueryFilter(QueryNames.of(method)));
    }

    /** With a slash before and none after. */
    private static String pathOf(@Nullable Path path) {
        String trimmed = path == null ? "" : path.value().replaceAll("^/+|/+$", "");
        return trimmed.isEmpty() ? "" : "/" + trimmed;
    }
}
