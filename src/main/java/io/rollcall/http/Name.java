package io.rollcall.http;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A name of a caller, an agent or a queue. */
@Documented
@Constraint(validatedBy = {})
@Pattern(regexp = "[A-Za-z0-9._:@-]{1,128}")
@ReportAsSingleViolation
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.TYPE_USE})
public @interface Name {
    /** What is wrong. */
    String message() default "must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -";

    /** Unused. */
    Class<?>[] groups() default {};

    /** Unused. */
    Class<? extends Payload>[] payload() default {};
}
