/** How agents get work out of queues. */
@NullMarked
package io.rollcall.claim;

import org.jspecify.annotations.NullMarked;
