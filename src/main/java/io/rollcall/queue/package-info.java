/** Settings of queues, and who waits for work in them. Knows neither delegations nor HTTP. */
@NullMarked
package io.rollcall.queue;

import org.jspecify.annotations.NullMarked;
