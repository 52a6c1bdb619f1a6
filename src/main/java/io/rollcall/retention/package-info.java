/** How final delegations leave the ledger. */
@NullMarked
package io.rollcall.retention;

import org.jspecify.annotations.NullMarked;
