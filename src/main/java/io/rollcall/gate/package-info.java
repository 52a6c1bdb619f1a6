/** Gates: read-only checks that say whether work reported as successful may count as completed. */
@NullMarked
package io.rollcall.gate;

import org.jspecify.annotations.NullMarked;
