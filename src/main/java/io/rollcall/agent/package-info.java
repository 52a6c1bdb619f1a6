/** Who holds what. */
@NullMarked
package io.rollcall.agent;

import org.jspecify.annotations.NullMarked;
