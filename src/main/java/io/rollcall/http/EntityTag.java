package io.rollcall.http;

import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import org.jspecify.annotations.Nullable;

/** The version of a delegation in HTTP: {@code "7"}. */
final class EntityTag {
    private EntityTag() {}

    /** The tag of a version. */
    static String of(long version) {
        return "\"" + version + "\"";
    }

    /**
     * The version that {@code If-Match} names; null where there is no header, or it names any.
     *
     * @throws RefusedException {@code precondition-failed} for a tag that this service never gave
     */
    static @Nullable Long version(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return null;
        }
        String tag = ifMatch.strip();
        if (!tag.matches("\"\\d{1,18}\"")) {
            throw new RefusedException(ErrorCode.PRECONDITION_FAILED, "If-Match names no version of this delegation.");
        }
        return Long.valueOf(tag.substring(1, tag.length() - 1));
    }
}
