package io.rollcall.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** How names of hosts become addresses. May take long. */
@FunctionalInterface
public interface HostNames {
    /** All addresses of a host, at least one. */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
