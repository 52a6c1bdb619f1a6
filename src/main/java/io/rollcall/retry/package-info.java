/** What a failure means and when to try again. Pure functions. */
@NullMarked
package io.rollcall.retry;

import org.jspecify.annotations.NullMarked;
