package io.rollcall.boot.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Which processes use one server, told by locks on a file: the kernel takes them back even after {@code kill -9}. */
final class SharedUse implements Closeable {
    private static final long TURN = 0;
    private static final long USE = 1;

    private final FileChannel channel;
    private @Nullable FileLock use;

    private SharedUse(FileChannel channel) {
        this.channel = channel;
    }

    static SharedUse of(Path file) throws IOException {
        return new SharedUse(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** Waits for the right to start or stop the server; closing the lock gives it back. */
    FileLock turn() throws IOException {
        return channel.lock(TURN, 1, false);
    }

    /** Counts this process among the users; call it in one's turn. */
    void join() throws IOException {
        use = channel.lock(USE, 1, true);
    }

    /** Ends this process's use; true if no other process uses the server. Call it in one's turn. */
    boolean leave() throws IOException {
        if (use != null) {
            use.release();
            use = null;
        }
        try (FileLock alone = channel.tryLock(USE, 1, false)) {
            return alone != null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
