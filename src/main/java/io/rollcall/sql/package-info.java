/** What repositories need to write native statements. */
@NullMarked
package io.rollcall.sql;

import org.jspecify.annotations.NullMarked;
