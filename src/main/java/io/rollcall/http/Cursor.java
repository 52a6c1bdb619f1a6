package io.rollcall.http;

import io.rollcall.delegation.DelegationFilter;
import io.rollcall.delegation.DelegationSort;
import io.rollcall.delegation.PagePosition;
import io.rollcall.delegation.Sha256;
import io.rollcall.error.ErrorCode;
import io.rollcall.error.RefusedException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;

/** Where a page of delegations ended, bound to the sort and the filters of its list. Opaque to clients. */
final class Cursor {
    private static final int BINDING_BYTES = 8;

    /** The end of the year 9999: no time in the ledger is beyond it, nor before 1970. */
    private static final long MAX_MICROS = 253_402_300_799_999_999L;

    private Cursor() {}

    /** The cursor behind a position. */
    static String of(PagePosition position, DelegationSort sort, DelegationFilter filter) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, position.key());
        String text = binding(sort, filter) + "," + micros + "," + position.id();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The position that a cursor stands for.
     *
     * @throws RefusedException {@code invalid-cursor} if it belongs to another list, or to none
     */
    static PagePosition parse(String cursor, DelegationSort sort, DelegationFilter filter) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split(",", -1);
            long micros = Long.parseLong(parts[1]);
            if (parts.length == 3 && parts[0].equals(binding(sort, filter)) && micros >= 0 && micros <= MAX_MICROS) {
                return new PagePosition(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), UUID.fromString(parts[2]));
            }
        } catch (RuntimeException e) {
            // not one of ours: refused below
        }
        throw new RefusedException(
                ErrorCode.INVALID_CURSOR, "The cursor does not belong to a list with this sort and these filters.");
    }

    private static String binding(DelegationSort sort, DelegationFilter filter) {
        String statuses = filter.statuses().stream().sorted().toList().toString();
        String list = sort + statuses + filter.withoutStatuses();
        return HexFormat.of().formatHex(Arrays.copyOf(Sha256.of(list), BINDING_BYTES));
    }
}
