/** The only reader of a clock. */
@NullMarked
package io.rollcall.time;

import org.jspecify.annotations.NullMarked;
