/** How settings are read that must not keep the service from starting. */
@NullMarked
package io.rollcall.config;

import org.jspecify.annotations.NullMarked;
