package io.rollcall.error;

import java.util.Locale;

/** Every way in which the service says no. The HTTP status of each stands in {@code http.problem.ErrorStatus}. */
public enum ErrorCode {
    /** The request breaks a rule of the contract: a field, a parameter or the body as a whole. */
    INVALID_REQUEST,
    /** An agent's call left out the epoch although another attempt could exist. */
    EPOCH_REQUIRED,
    /** The cursor belongs to another sort, to other filters, or to no list at all. */
    INVALID_CURSOR,
    /** No credential came with the request, or none that counts. */
    UNAUTHENTICATED,
    /** The credential is good, but not for this. */
    FORBIDDEN,
    /** What the path names does not exist, or is not for the eyes of this client. */
    NOT_FOUND,
    /** The path exists, but not for this method. */
    METHOD_NOT_ALLOWED,
    /** None of the media types that the client accepts can be had here. */
    NOT_ACCEPTABLE,
    /** The state machine does not allow this move from the present status. */
    INVALID_TRANSITION,
    /** The epoch is not that of the existing lease: somebody else holds the work, or nobody. */
    LEASE_LOST,
    /** A named resource lease has a holder. */
    LEASE_HELD,
    /** The queue still has open delegations. */
    QUEUE_NOT_EMPTY,
    /** Others changed the same thing again and again while this request tried to. */
    CONCURRENT_CHANGE,
    /** The same idempotency key or id came with another body. */
    IDEMPOTENCY_MISMATCH,
    /** {@code If-Match} names a version that is no longer the present one. */
    PRECONDITION_FAILED,
    /** The body is longer than the service reads. */
    CONTENT_TOO_LARGE,
    /** The path and query together are longer than the service reads. */
    URI_TOO_LONG,
    /** The headers together are longer than the service reads. */
    HEADERS_TOO_LARGE,
    /** The body is of a media type, an encoding or a charset that is not understood here. */
    UNSUPPORTED_MEDIA_TYPE,
    /** This client asks more often than it may. */
    TOO_MANY_REQUESTS,
    /** More work is waiting than the service is willing to queue. Nothing was done. */
    OVERLOADED,
    /** The database cannot be reached in time. Nothing is known to be lost; ask again. */
    UNAVAILABLE,
    /** A fault of the service. It is logged under the id that the answer carries. */
    INTERNAL;

    /** The name as it stands in a problem's {@code type}: lower case with hyphens. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
