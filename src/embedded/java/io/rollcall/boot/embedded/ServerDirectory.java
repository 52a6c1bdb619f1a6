package io.rollcall.boot.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.UUID;

/** The files of one embedded server: its data, the unpacked programs, the password, the log. */
final class ServerDirectory {
    private static final int PASSWORD_BYTES = 24;

    private final Path home;

    private ServerDirectory(Path home) {
        this.home = home;
    }

    /** Creates what is missing, readable for its owner alone: zonky makes the directory of the programs writable for all. */
    static ServerDirectory open(Path home) throws IOException {
        boolean posix = home.getFileSystem().supportedFileAttributeViews().contains("posix");
        Files.createDirectories(home.toAbsolutePath().getParent());
        if (Files.notExists(home)) {
            Files.createDirectory(home, posix ? ownerOnly("rwx------") : new FileAttribute<?>[0]);
        } else if (posix) {
            Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        }
        return new ServerDirectory(home);
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }

    Path data() {
        return home.resolve("data");
    }

    Path programs() {
        return home.resolve("programs");
    }

    Path users() {
        return home.resolve("users.lock");
    }

    Path log() {
        return home.resolve("server.log");
    }

    Path passwordFile() {
        return home.resolve("password");
    }

    /** The password of the server: made once, never shown, nothing in it to quote. */
    String password() throws IOException {
        if (Files.notExists(passwordFile())) {
            if (Files.exists(initialized())) {
                throw new IOException("its password file is gone");
            }
            byte[] secret = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(secret);
            Files.writeString(passwordFile(), HexFormat.of().formatHex(secret));
        }
        return Files.readString(passwordFile()).strip();
    }

    /** Puts aside what an {@code initdb} that was cut short has left: it would refuse to go on with it. */
    void putUnfinishedDataAside() throws IOException {
        if (Files.exists(data()) && Files.notExists(initialized())) {
            Files.move(data(), home.resolve("unfinished-" + UUID.randomUUID()));
        }
    }

    void markInitialized() throws IOException {
        if (Files.notExists(initialized())) {
            Files.createFile(initialized());
        }
    }

    private Path initialized() {
        return home.resolve("initialized");
    }
}
