/** What tests share. */
package io.rollcall.testing;
