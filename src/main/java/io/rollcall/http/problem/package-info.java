/** How the service says no over HTTP: RFC 9457 problems, whatever went wrong and wherever. */
@NullMarked
package io.rollcall.http.problem;

import org.jspecify.annotations.NullMarked;
