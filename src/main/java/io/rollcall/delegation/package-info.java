/** The domain: delegations, what may happen to them, and their history. Knows neither HTTP nor the scheduler. */
@NullMarked
package io.rollcall.delegation;

import org.jspecify.annotations.NullMarked;
