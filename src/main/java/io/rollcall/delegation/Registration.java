package io.rollcall.delegation;

/**
 * The answer to a registration.
 *
 * @param detail the delegation as it is now
 * @param created whether this request created it; false where it was known already
 */
public record Registration(DelegationDetail detail, boolean created) {}
