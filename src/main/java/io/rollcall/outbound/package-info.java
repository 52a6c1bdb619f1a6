/** Calls that leave the service: where they may go, and how little is believed of what comes back. */
@NullMarked
package io.rollcall.outbound;

import org.jspecify.annotations.NullMarked;
