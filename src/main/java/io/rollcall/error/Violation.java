package io.rollcall.error;

/**
 * One rule of the contract that a request breaks.
 *
 * @param field which part of the request, as a path such as {@code items[3].task}
 * @param message what is wrong with it
 */
public record Violation(String field, String message) {}
