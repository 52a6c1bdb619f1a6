/** How the service starts: with the database it was given, or with one of its own. */
@NullMarked
package io.rollcall.boot;

import org.jspecify.annotations.NullMarked;
