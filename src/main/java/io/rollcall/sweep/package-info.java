/** What the passage of time does: rules, the tick, its reports. */
@NullMarked
package io.rollcall.sweep;

import org.jspecify.annotations.NullMarked;
