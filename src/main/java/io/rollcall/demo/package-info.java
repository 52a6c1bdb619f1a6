/** A small fleet of agents that joins the running service, so that a newcomer sees every verdict. Off by default. */
@NullMarked
package io.rollcall.demo;

import org.jspecify.annotations.NullMarked;
