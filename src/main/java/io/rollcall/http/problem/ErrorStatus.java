package io.rollcall.http.problem;

import io.rollcall.error.ErrorCode;

/**
 * The one table from refusals to HTTP. No {@code default}: a new {@link ErrorCode} does not compile until its status and
 * its title are decided.
 */
public final class ErrorStatus {
    private ErrorStatus() {}

    /** The HTTP status of that refusal. */
    public static int of(ErrorCode code) {
        return switch (code) {
            case INVALID_REQUEST, EPOCH_REQUIRED, INVALID_CURSOR -> 400;
            case UNAUTHENTICATED -> 401;
            case FORBIDDEN -> 403;
            case NOT_FOUND -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case NOT_ACCEPTABLE -> 406;
            case INVALID_TRANSITION, LEASE_LOST, LEASE_HELD, QUEUE_NOT_EMPTY, CONCURRENT_CHANGE -> 409;
            case PRECONDITION_FAILED -> 412;
            case CONTENT_TOO_LARGE -> 413;
            case URI_TOO_LONG -> 414;
            case UNSUPPORTED_MEDIA_TYPE -> 415;
            case IDEMPOTENCY_MISMATCH -> 422;
            case TOO_MANY_REQUESTS -> 429;
            case HEADERS_TOO_LARGE -> 431;
            case INTERNAL -> 500;
            case OVERLOADED, UNAVAILABLE -> 503;
        };
    }

    /** What all problems of that kind are called. */
    static String titleOf(ErrorCode code) {
        return switch (code) {
            case INVALID_REQUEST -> "The request is not valid";
            case EPOCH_REQUIRED -> "The epoch is required";
            case INVALID_CURSOR -> "The cursor does not fit";
            case UNAUTHENTICATED -> "Authentication is required";
            case FORBIDDEN -> "Not allowed";
            case NOT_FOUND -> "Not found";
            case METHOD_NOT_ALLOWED -> "Not with this method";
            case NOT_ACCEPTABLE -> "Not in this media type";
            case INVALID_TRANSITION -> "The status does not allow it";
            case LEASE_LOST -> "The lease is lost";
            case LEASE_HELD -> "The lease is held";
            case QUEUE_NOT_EMPTY -> "The queue is not empty";
            case CONCURRENT_CHANGE -> "Changed by others meanwhile";
            case PRECONDITION_FAILED -> "Not the present version";
            case CONTENT_TOO_LARGE -> "The body is too large";
            case URI_TOO_LONG -> "The URI is too long";
            case HEADERS_TOO_LARGE -> "The headers are too large";
            case UNSUPPORTED_MEDIA_TYPE -> "The media type is not supported";
            case IDEMPOTENCY_MISMATCH -> "The same key with another body";
            case TOO_MANY_REQUESTS -> "Too many requests";
            case OVERLOADED -> "Overloaded";
            case UNAVAILABLE -> "Unavailable for the moment";
            case INTERNAL -> "Internal error";
        };
    }

    /** The kind of refusal that stands for a status which somebody else decided. */
    static ErrorCode codeOf(int status) {
        return switch (status) {
            case 401, 407 -> ErrorCode.UNAUTHENTICATED;
            case 403 -> ErrorCode.FORBIDDEN;
            case 404, 410 -> ErrorCode.NOT_FOUND;
            case 405, 501 -> ErrorCode.METHOD_NOT_ALLOWED;
            case 406 -> ErrorCode.NOT_ACCEPTABLE;
            case 409 -> ErrorCode.CONCURRENT_CHANGE;
            case 412 -> ErrorCode.PRECONDITION_FAILED;
            case 413 -> ErrorCode.CONTENT_TOO_LARGE;
            case 414 -> ErrorCode.URI_TOO_LONG;
            case 415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
            case 429 -> ErrorCode.TOO_MANY_REQUESTS;
            case 431 -> ErrorCode.HEADERS_TOO_LARGE;
            case 502, 503, 504 -> ErrorCode.UNAVAILABLE;
            default -> status >= 400 && status < 500 ? ErrorCode.INVALID_REQUEST : ErrorCode.INTERNAL;
        };
    }
}
