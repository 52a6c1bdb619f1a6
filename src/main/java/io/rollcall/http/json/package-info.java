/** What counts as JSON, as a time, a duration or a parameter, and what is refused before any resource sees it. */
@NullMarked
package io.rollcall.http.json;

import org.jspecify.annotations.NullMarked;
