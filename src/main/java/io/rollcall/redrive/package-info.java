/** Retries in bulk, by operators. */
@NullMarked
package io.rollcall.redrive;

import org.jspecify.annotations.NullMarked;
