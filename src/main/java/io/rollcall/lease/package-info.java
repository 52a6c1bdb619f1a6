/** Live holds: who works on what, and until when. Knows delegations by their ids only. */
@NullMarked
package io.rollcall.lease;

import org.jspecify.annotations.NullMarked;
