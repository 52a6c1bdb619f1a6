package io.rollcall.delegation;

/**
 * Something that has happened to a delegation and is not written yet.
 *
 * @param delegation as it is now, in memory
 * @param event what happened
 */
public record Change(Delegation delegation, DelegationEvent event) {}
