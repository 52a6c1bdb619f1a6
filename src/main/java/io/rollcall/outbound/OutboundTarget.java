package io.rollcall.outbound;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Where a call goes.
 *
 * @param secure whether by https
 * @param host its name, or an address; an IPv6 address in brackets
 * @param port 1 to 65535
 * @param pathAndQuery what is asked for there, from the slash
 */
public record OutboundTarget(boolean secure, String host, int port, String pathAndQuery) {
    private static final int MAX_LENGTH = 2_000;
    private static final int MAX_PORT = 65_535;

    /**
     * Reads a URL.
     *
     * @throws OutboundException with a sentence for whoever wrote it, if it is none that may be called
     */
    static OutboundTarget parse(String url) {
        if (url.length() > MAX_LENGTH) {
            throw refused("must not be longer than 2000 characters");
        }
        URI uri = uri(url);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean secure = "https".equals(scheme);
        if (!secure && !"http".equals(scheme)) {
            throw refused("must begin with https://");
        }
        if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
            throw refused("must name a host");
        }
        if (uri.getRawUserInfo() != null) {
            throw refused("must not carry credentials");
        }
        if (uri.getRawFragment() != null) {
            throw refused("must not carry a fragment");
        }
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return new OutboundTarget(
                secure,
                uri.getHost().toLowerCase(Locale.ROOT),
                uri.getPort() > 0 ? uri.getPort() : secure ? 443 : 80,
                uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
    }

    private static URI uri(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw refused("must be a URL");
        }
    }

    private static OutboundException refused(String why) {
        return new OutboundException(why, false);
    }

    /** Whether its host is written as an address, or stands for this machine: then nothing need be looked up to judge it. */
    boolean isLiteral() {
        return host.startsWith("[") || host.matches("[0-9.]+") || host.equals("localhost");
    }

    /** What may stand in a log: the query may hold what others must not know. */
    public String withoutQuery() {
        int query = pathAndQuery.indexOf('?');
        return (secure ? "https://" : "http://") + host + ":" + port
                + (query < 0 ? pathAndQuery : pathAndQuery.substring(0, query));
    }
}
