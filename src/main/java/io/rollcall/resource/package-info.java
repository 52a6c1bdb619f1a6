/** Named resource leases: locks with a holder, a time to live and an epoch that fences off those who lost them. */
@NullMarked
package io.rollcall.resource;

import org.jspecify.annotations.NullMarked;
