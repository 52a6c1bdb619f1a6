/** Whether this process is alive, and whether it can serve. */
@NullMarked
package io.rollcall.health;

import org.jspecify.annotations.NullMarked;
