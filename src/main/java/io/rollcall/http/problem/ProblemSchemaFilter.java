package io.rollcall.http.problem;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import io.rollcall.error.ErrorCode;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;
import org.jspecify.annotations.Nullable;

/** Adds to every operation of the API the problems that it can answer with, so that no resource has to repeat them. */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class ProblemSchemaFilter implements OASFilter {
    private static final String API = "/v1/";
    private static final String SCHEMA = "Problem";
    private static final String SCHEMA_REF = "#/components/schemas/" + SCHEMA;
    private static final String RESPONSE_REF = "#/components/responses/";
    private static final String RETRY_AFTER = "The seconds after which to ask again.";

    /** The kinds that stand for their status in the document: each has an example there. */
    private static final Map<ErrorCode, String> EXAMPLES = Map.ofEntries(
            Map.entry(ErrorCode.INVALID_REQUEST, "items[3].task must not be blank."),
            Map.entry(ErrorCode.UNAUTHENTICATED, "This needs a credential, and the request brought none that counts."),
            Map.entry(ErrorCode.FORBIDDEN, "The credential is not good for this."),
            Map.entry(ErrorCode.NOT_FOUND, "There is no delegation 01890a5d-ac96-774b-bcce-b302099a8057."),
            Map.entry(ErrorCode.NOT_ACCEPTABLE, "The answer cannot be had in any of the media types in Accept."),
            Map.entry(ErrorCode.LEASE_LOST, "Epoch 3 is not that of the present lease."),
            Map.entry(ErrorCode.PRECONDITION_FAILED, "The version in If-Match is not the present one."),
            Map.entry(ErrorCode.CONTENT_TOO_LARGE, "The body is longer than the 1048576 bytes that are allowed here."),
            Map.entry(ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json."),
            Map.entry(ErrorCode.IDEMPOTENCY_MISMATCH, "This Idempotency-Key was used with another body."),
            Map.entry(ErrorCode.TOO_MANY_REQUESTS, "Too many requests; ask again later."),
            Map.entry(ErrorCode.UNAVAILABLE, "The database did not answer in time. Nothing was changed; ask again."),
            Map.entry(ErrorCode.INTERNAL, "The service failed. Its log tells more under this errorId."));

    @Override
    public void filterOpenAPI(OpenAPI document) {
        if (document.getComponents() == null) {
            document.setComponents(OASFactory.createComponents());
        }
        describe(document.getComponents());
        if (document.getPaths() == null || document.getPaths().getPathItems() == null) {
            return;
        }
        document.getPaths().getPathItems().forEach((path, item) -> {
            if (path.startsWith(API)) {
                item.getOperations().forEach((method, operation) -> complete(path, item, method, operation));
            }
        });
    }

    private static void describe(Components components) {
        components.addSchema(SCHEMA, schema());
        EXAMPLES.forEach((code, detail) -> components.addResponse(nameOf(code), response(code, detail)));
    }

    private static Schema schema() {
        Schema violation = OASFactory.createSchema()
                .addType(Schema.SchemaType.OBJECT)
                .addProperty("field", text("Where: `items[3].task` in the body, or the name of a parameter."))
                .addProperty("message", text("What is wrong there."))
                .addProperty("index", number("Which item of a batch, from 0."));
        return OASFactory.createSchema()
                .addType(Schema.SchemaType.OBJECT)
                .description("An answer that says no (RFC 9457). Further fields depend on its type; "
                        + "clients accept fields and types that they do not know.")
                .required(List.of("type", "title", "status", "detail"))
                .addProperty("type", text("What a program decides by: `urn:rollcall:problem:<name>`."))
                .addProperty("title", text("The same for all problems of that type."))
                .addProperty("status", number("The HTTP status."))
                .addProperty("detail", text("One sentence about this very case."))
                .addProperty("delegationStatus", text("The status of the delegation, where that is the reason."))
                .addProperty("epoch", number("The epoch of the present lease, where that is the reason."))
                .addProperty("errorId", text("With 500: what to look for in the log."))
                .addProperty(
                        "violations",
                        OASFactory.createSchema()
                                .addType(Schema.SchemaType.ARRAY)
                                .items(violation));
    }

    private static Schema text(String description) {
        return OASFactory.createSchema().addType(Schema.SchemaType.STRING).description(description);
    }

    private static Schema number(String description) {
        return OASFactory.createSchema().addType(Schema.SchemaType.INTEGER).description(description);
    }

    private static APIResponse response(ErrorCode code, String detail) {
        APIResponse response = OASFactory.createAPIResponse()
                .description(ErrorStatus.titleOf(code) + ".")
                .content(content(exampleOf(code, detail)));
        if (ErrorStatus.of(code) == 429 || ErrorStatus.of(code) == 503) {
            response.addHeader(
                    ProblemAnswer.RETRY_AFTER,
                    OASFactory.createHeader().description(RETRY_AFTER).schema(number(RETRY_AFTER)));
        }
        return response;
    }

    private static Content content(Map<String, Object> example) {
        return OASFactory.createContent()
                .addMediaType(
                        Problem.MEDIA_TYPE,
                        OASFactory.createMediaType()
                                .schema(OASFactory.createSchema().ref(SCHEMA_REF))
                                .example(example));
    }

    private static void complete(String path, PathItem item, PathItem.HttpMethod method, Operation operation) {
        if (operation.getResponses() == null) {
            operation.setResponses(OASFactory.createAPIResponses());
        }
        APIResponses responses = operation.getResponses();
        for (ErrorCode code : codesFor(path, item, method, operation)) {
            String status = Integer.toString(ErrorStatus.of(code));
            APIResponse declared = responses.getAPIResponse(status);
            if (declared == null) {
                responses.addAPIResponse(status, OASFactory.createAPIResponse().ref(RESPONSE_REF + nameOf(code)));
            } else if (declared.getRef() == null && declared.getContent() == null) {
                declared.setContent(content(exampleOf(code, EXAMPLES.getOrDefault(code, ""))));
            }
        }
    }

    private static Map<String, Object> exampleOf(ErrorCode code, String detail) {
        Problem problem = Problem.of(code, detail);
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("type", problem.type());
        example.put("title", problem.title());
        example.put("status", problem.status());
        example.put("detail", problem.detail());
        return example;
    }

    private static Set<ErrorCode> codesFor(
            String path, PathItem item, PathItem.HttpMethod method, Operation operation) {
        Set<ErrorCode> codes = EnumSet.of(
                ErrorCode.INVALID_REQUEST,
                ErrorCode.UNAUTHENTICATED,
                ErrorCode.FORBIDDEN,
                ErrorCode.NOT_ACCEPTABLE,
                ErrorCode.TOO_MANY_REQUESTS,
                ErrorCode.UNAVAILABLE,
                ErrorCode.INTERNAL);
        if (path.contains("{")) {
            codes.add(ErrorCode.NOT_FOUND);
        }
        if (method != PathItem.HttpMethod.GET) {
            codes.add(ErrorCode.LEASE_LOST);
        }
        if (operation.getRequestBody() != null) {
            codes.add(ErrorCode.CONTENT_TOO_LARGE);
            codes.add(ErrorCode.UNSUPPORTED_MEDIA_TYPE);
        }
        if (hasHeader(item, operation, "If-Match")) {
            codes.add(ErrorCode.PRECONDITION_FAILED);
        }
        if (hasHeader(item, operation, "Idempotency-Key") || path.endsWith("/batch")) {
            codes.add(ErrorCode.IDEMPOTENCY_MISMATCH);
        }
        return codes;
    }

    private static boolean hasHeader(PathItem item, Operation operation, String name) {
        return isIn(operation.getParameters(), name) || isIn(item.getParameters(), name);
    }

    private static boolean isIn(@Nullable List<Parameter> parameters, String name) {
        return parameters != null
                && parameters.stream()
                        .anyMatch(it -> it.getIn() == Parameter.In.HEADER && name.equalsIgnoreCase(it.getName()));
    }

    /** As in {@code InvalidRequest}. */
    private static String nameOf(ErrorCode code) {
        StringBuilder name = new StringBuilder();
        for (String part : code.wireName().split("-", -1)) {
            name.append(Character.toUpperCase(part.charAt(0))).append(part, 1, part.length());
        }
        return name.toString();
    }
}
