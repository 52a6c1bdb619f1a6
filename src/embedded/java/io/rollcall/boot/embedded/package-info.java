/** The embedded PostgreSQL of zonky.io. Left out of native builds and of packages for production. */
@NullMarked
package io.rollcall.boot.embedded;

import org.jspecify.annotations.NullMarked;
