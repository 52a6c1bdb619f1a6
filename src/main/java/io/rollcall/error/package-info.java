/** What the service can refuse, in words that know neither HTTP nor SQL. */
@NullMarked
package io.rollcall.error;

import org.jspecify.annotations.NullMarked;
