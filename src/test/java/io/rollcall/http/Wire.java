package io.rollcall.http;

import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Says to the service exactly these bytes, which no client library would send, and reads what it answers. */
final class Wire {
    private static final int PATIENCE_MS = 20_000;

    private Wire() {}

    /** The answer up to the end of the connection. A service that hangs up while it is still being told is fine. */
    static String answerTo(byte[]... parts) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", RestAssured.port)) {
            socket.setSoTimeout(PATIENCE_MS);
            try {
                OutputStream out = socket.getOutputStream();
                for (byte[] part : parts) {
                    out.write(part);
                }
                out.flush();
            } catch (IOException hungUp) {
                // the answer may have come all the same
            }
            return read(socket.getInputStream());
        }
    }

    private static String read(InputStream in) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        in.transferTo(answer);
        return answer.toString(StandardCharsets.UTF_8);
    }

    /** A request line with the headers that every request has, and these. */
    static byte[] head(String method, String path, String... headers) {
        String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return (method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + more + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** One chunk of a body whose length is not known beforehand. */
    static byte[] chunk(byte[] content) {
        ByteArrayOutputStream chunk = new ByteArrayOutputStream();
        chunk.writeBytes((Integer.toHexString(content.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        chunk.writeBytes(content);
        chunk.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        return chunk.toByteArray();
    }
}
