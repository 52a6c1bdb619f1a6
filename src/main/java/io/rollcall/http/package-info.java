/** The API: resources, requests, views. */
@NullMarked
package io.rollcall.http;

import org.jspecify.annotations.NullMarked;
