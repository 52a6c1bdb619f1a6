package io.rollcall.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundTargetsTest {
    private final OutboundTargets strict = targets(false, "1.1.1.1");

    @Test
    void readsWhereACallGoes() {
        assertEquals(
                new OutboundTarget(true, "ci.example.org", 443, "/gate?key=1"),
                strict.parse("https://CI.example.org/gate?key=1"));
        assertEquals(
                new OutboundTarget(true, "[2606:4700::1]", 8443, "/"), strict.parse("https://[2606:4700::1]:8443"));
        assertEquals(
                "https://ci.example.org:443/gate",
                strict.parse("https://ci.example.org/gate?key=1").withoutQuery());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://ci.example.org/",
                "https://127.0.0.1/",
                "https://2130706433/",
                "https://0x7f.1/",
                "https://[::1]/",
                "https://[::ffff:10.0.0.1]/",
                "https://10.1.2.3/",
                "https://169.254.169.254/latest/meta-data",
                "https://localhost/",
                "https://ci.example.org:0/",
                "https://ci.example.org:70000/",
                "https://a:b@ci.example.org/",
                "file:///etc/passwd",
                "https:/ci.example.org"
            })
    void refusesWhatLeadsElsewhere(String url) {
        assertTrue(strict.objection(url).isPresent() || isRefusedWhenCalled(url), url);
    }

    private boolean isRefusedWhenCalled(String url) {
        OutboundTargets system = new OutboundTargets(() -> false, new SystemHostNames());
        return assertThrows(OutboundException.class, () -> system.pin(system.parse(url))) != null;
    }

    @Test
    void oneForbiddenAddressAmongOthersIsEnough() {
        OutboundTargets mixed = targets(false, "1.1.1.1", "10.0.0.1");

        assertThrows(OutboundException.class, () -> mixed.pin(mixed.parse("https://ci.example.org/")));
    }

    @Test
    void aNameIsNotLookedUpBeforeItIsCalled() {
        assertEquals(Optional.empty(), targets(false, "10.0.0.1").objection("https://ci.example.org/gate"));
    }

    @Test
    void privateOnesAndPlainHttpAreForThoseWhoAllowThem() {
        OutboundTargets lenient = new OutboundTargets(() -> true, new SystemHostNames());

        assertEquals(Optional.empty(), lenient.objection("http://127.0.0.1:8080/gate"));
        assertTrue(lenient.objection("ftp://127.0.0.1/gate").isPresent());
    }

    private static OutboundTargets targets(boolean allowPrivate, String... addresses) {
        return new OutboundTargets(() -> allowPrivate, host -> addresses(addresses));
    }

    private static List<InetAddress> addresses(String... addresses) throws UnknownHostException {
        InetAddress[] all = new InetAddress[addresses.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = InetAddress.getByName(addresses[i]);
        }
        return Arrays.asList(all);
    }
}
