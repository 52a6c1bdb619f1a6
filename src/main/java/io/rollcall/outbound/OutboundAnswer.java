package io.rollcall.outbound;

/**
 * What came back.
 *
 * @param status of HTTP; a redirect is not followed
 * @param body as text, 64 KiB at most
 */
public record OutboundAnswer(int status, String body) {
    /** Whether the status says that it went well. */
    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }
}
