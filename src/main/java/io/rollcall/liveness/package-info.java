/** Asks whether the processes and pods behind silent holders are alive. Knows holds by their keys only. */
@NullMarked
package io.rollcall.liveness;

import org.jspecify.annotations.NullMarked;
