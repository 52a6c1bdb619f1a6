package io.rollcall.http.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.rollcall.error.Violation;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One violation as the client reads it.
 *
 * @param field where: {@code items[3].task} in the body, or the name of a parameter; empty for the body as a whole
 * @param message what is wrong there
 * @param index which item of a batch, from 0; absent outside of batches
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
record ViolationView(String field, String message, @Nullable Integer index) {

    private static final Pattern ITEM = Pattern.compile("items\\[(\\d{1,6})]");

    /** Whatever else the list holds is left as it is. */
    static Object ofAll(Object violations) {
        return violations instanceof List<?> list
                ? list.stream().<Object>map(ViolationView::of).toList()
                : violations;
    }

    /** The same as one sentence. */
    static String sentenceOf(Violation violation) {
        return violation.field().isEmpty()
                ? "The body " + violation.message() + "."
                : violation.field() + " " + violation.message() + ".";
    }

    private static Object of(Object violation) {
        return violation instanceof Violation plain
                ? new ViolationView(plain.field(), plain.message(), indexIn(plain.field()))
                : violation;
    }

    private static @Nullable Integer indexIn(String field) {
        Matcher item = ITEM.matcher(field);
        return item.lookingAt() ? Integer.valueOf(item.group(1)) : null;
    }
}
