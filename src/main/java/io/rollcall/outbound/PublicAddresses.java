package io.rollcall.outbound;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** Tells addresses of the public internet from all others: private, local, reserved, or such that lead there. */
final class PublicAddresses {
    /** Special-purpose blocks of IPv4 that {@link InetAddress} does not know, as address and length of the prefix. */
    private static final List<Block> RESERVED_4 = List.of(
            new Block(0, 0, 0, 0, 8), // this network
            new Block(100, 64, 0, 0, 10), // carriers' own
            new Block(192, 0, 0, 0, 24), // protocol assignments
            new Block(192, 0, 2, 0, 24), // documentation
            new Block(192, 88, 99, 0, 24), // relays
            new Block(198, 18, 0, 0, 15), // benchmarks
            new Block(198, 51, 100, 0, 24), // documentation
            new Block(203, 0, 113, 0, 24), // documentation
            new Block(240, 0, 0, 0, 4)); // future use, and broadcast

    private PublicAddresses() {}

    private record Block(int bits, int length) {
        Block(int a, int b, int c, int d, int length) {
            this(a << 24 | b << 16 | c << 8 | d, length);
        }

        boolean contains(int address) {
            return (address ^ bits) >>> (32 - length) == 0;
        }
    }

    /** Whether it is one of the public internet. */
    static boolean contain(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        if (address instanceof Inet4Address) {
            int bits = bits(address.getAddress(), 0);
            return RESERVED_4.stream().noneMatch(block -> block.contains(bits));
        }
        return address instanceof Inet6Address && isPublic6(address.getAddress());
    }

    /** Only 2000::/3 is given out; within it, blocks that are special or carry an IPv4 address are judged by that. */
    private static boolean isPublic6(byte[] address) {
        int first = bits(address, 0);
        boolean nat64 = first == 0x0064ff9b && bits(address, 4) == 0 && bits(address, 8) == 0;
        if (nat64) {
            return contain4(address, 12);
        }
        boolean sixToFour = first >>> 16 == 0x2002;
        if (sixToFour) {
            return contain4(address, 2);
        }
        boolean special = first >>> 9 == 0x20010000 >>> 9 // 2001::/23: Teredo and others
                || first == 0x20010db8 // documentation
                || first >>> 12 == 0x3fff0; // documentation
        return first >>> 29 == 1 && !special;
    }

    private static boolean contain4(byte[] address, int from) {
        try {
            return contain(InetAddress.getByAddress(Arrays.copyOfRange(address, from, from + 4)));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("Four bytes are an address", e);
        }
    }

    private static int bits(byte[] bytes, int from) {
        return (bytes[from] & 0xff) << 24
                | (bytes[from + 1] & 0xff) << 16
                | (bytes[from + 2] & 0xff) << 8
                | (bytes[from + 3] & 0xff);
    }
}
