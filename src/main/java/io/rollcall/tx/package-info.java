/** What belongs to a transaction and to no feature. */
@NullMarked
package io.rollcall.tx;

import org.jspecify.annotations.NullMarked;
