package io.rollcall.outbound;

import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/** Where calls may go: by https to public addresses, unless the settings allow more. */
@Singleton
public class OutboundTargets {
    private final OutboundConfig config;
    private final HostNames names;

    OutboundTargets(OutboundConfig config, HostNames names) {
        this.config = config;
        this.names = names;
    }

    /** What is wrong with a URL, as far as can be told without looking up a name; empty if nothing is. */
    public Optional<String> objection(String url) {
        try {
            OutboundTarget target = parse(url);
            if (target.isLiteral()) {
                pin(target);
            }
            return Optional.empty();
        } catch (OutboundException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    /**
     * Reads a URL.
     *
     * @throws OutboundException if it must not be called
     */
    public OutboundTarget parse(String url) {
        OutboundTarget target = OutboundTarget.parse(url);
        if (!target.secure() && !config.allowPrivate()) {
            throw new OutboundException("must begin with https://", false);
        }
        return target;
    }

    /**
     * Resolves its host, once: the call must go to this address, whatever the name leads to later. May take long.
     *
     * @throws OutboundException if the name is not known, or any of its addresses must not be called
     */
    InetAddress pin(OutboundTarget target) {
        List<InetAddress> addresses = resolve(target.host());
        if (!config.allowPrivate() && !addresses.stream().allMatch(PublicAddresses::contain)) {
            throw new OutboundException("must not lead to a private, local or reserved address", false);
        }
        return addresses.get(0);
    }

    private List<InetAddress> resolve(String host) {
        try {
            return names.resolve(host);
        } catch (UnknownHostException e) {
            throw new OutboundException("the name of its host is not known", true);
        }
    }
}
