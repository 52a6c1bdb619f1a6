package io.rollcall.it;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals to processes that a test started. */
final class Signals {
    private Signals() {}

    /** Sends one: STOP, CONT, TERM. */
    static void send(String name, long pid) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, String.valueOf(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " " + pid + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
