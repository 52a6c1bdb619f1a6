package io.rollcall.sweep;

import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Which of several instances of the service this is. */
@Singleton
class Replica {
    private final String name = hostName() + "-" + ProcessHandle.current().pid();

    /** Host name and process id: unique among replicas that run at the same time. */
    String name() {
        return name;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
