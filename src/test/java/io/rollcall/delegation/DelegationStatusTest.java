package io.rollcall.delegation;

import static io.rollcall.delegation.DelegationStatus.CANCELLED;
import static io.rollcall.delegation.DelegationStatus.COMPLETED;
import static io.rollcall.delegation.DelegationStatus.DISPATCHED;
import static io.rollcall.delegation.DelegationStatus.FAILED;
import static io.rollcall.delegation.DelegationStatus.IN_PROGRESS;
import static io.rollcall.delegation.DelegationStatus.QUEUED;
import static io.rollcall.delegation.DelegationStatus.STUCK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DelegationStatusTest {
    private static final List<DelegationStatus> COLUMNS =
            List.of(QUEUED, DISPATCHED, IN_PROGRESS, STUCK, COMPLETED, FAILED, CANCELLED);

    @ParameterizedTest(name = "from {0}")
    @CsvSource(delimiter = '|', textBlock = """
            # from      | queued | dispatched | in_progress | stuck | completed | failed | cancelled
            queued      | -      | yes        | -           | -     | yes       | yes    | yes
            dispatched  | yes    | -          | yes         | yes   | yes       | yes    | yes
            in_progress | yes    | -          | -           | yes   | yes       | yes    | yes
            stuck       | -      | -          | -           | -     | yes       | yes    | yes
            completed   | -      | -          | -           | -     | -         | -      | -
            failed      | -      | -          | -           | -     | -         | -      | -
            cancelled   | -      | -          | -           | -     | -         | -      | -
            """)
    void allowsTheseMovesAndNoOthers(
            String from,
            String queued,
            String dispatched,
            String inProgress,
            String stuck,
            String completed,
            String failed,
            String cancelled) {
        List<String> cells = List.of(queued, dispatched, inProgress, stuck, completed, failed, cancelled);
        Set<DelegationStatus> successors =
                DelegationStatus.ofWireName(from).orElseThrow().successors();

        List<String> answers = COLUMNS.stream()
                .map(to -> successors.contains(to) ? "yes" : "-")
                .toList();

        assertEquals(cells, answers);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # status    | open  | in flight | holds a lease | final
            queued      | yes   | -         | -             | -
            dispatched  | yes   | yes       | yes           | -
            in_progress | yes   | yes       | yes           | -
            stuck       | yes   | -         | yes           | -
            completed   | -     | -         | -             | yes
            failed      | -     | -         | -             | yes
            cancelled   | -     | -         | -             | yes
            """)
    void belongsToTheseSets(String word, String open, String inFlight, String holdsLease, String isFinal) {
        DelegationStatus status = DelegationStatus.ofWireName(word).orElseThrow();

        assertEquals(open.equals("yes"), DelegationStatus.open().contains(status), "open");
        assertEquals(inFlight.equals("yes"), status.isInFlight(), "in flight");
        assertEquals(inFlight.equals("yes"), DelegationStatus.inFlight().contains(status), "in flight, as a set");
        assertEquals(holdsLease.equals("yes"), status.holdsLease(), "holds a lease");
        assertEquals(isFinal.equals("yes"), status.isFinal(), "final");
        assertEquals(isFinal.equals("yes"), DelegationStatus.finals().contains(status), "final, as a set");
    }

    @Test
    void hasNoStatusBesidesThoseOfTheTable() {
        assertEquals(Set.copyOf(COLUMNS), Set.copyOf(Arrays.asList(DelegationStatus.values())));
        assertEquals(
                Set.of("queued", "dispatched", "in_progress", "stuck", "completed", "failed", "cancelled"),
                Arrays.stream(DelegationStatus.values())
                        .map(DelegationStatus::wireName)
                        .collect(Collectors.toSet()));
    }

    @ParameterizedTest
    @EnumSource
    void isFoundAgainByItsWord(DelegationStatus status) {
        assertEquals(Optional.of(status), DelegationStatus.ofWireName(status.wireName()));
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByNothingButItsWord(DelegationStatus status) {
        assertTrue(DelegationStatus.ofWireName(status.name()).isEmpty());
        assertTrue(DelegationStatus.ofWireName(" " + status.name().toLowerCase(Locale.ROOT))
                .isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void everyOpenStatusCanStillBecomeFailedAndCancelled(DelegationStatus status) {
        if (!status.isFinal()) {
            assertTrue(status.successors().containsAll(DelegationStatus.finals()));
        }
    }

    @Test
    void theSetsCannotBeChanged() {
        assertThrows(
                UnsupportedOperationException.class,
                () -> DelegationStatus.finals().clear());
        assertThrows(
                UnsupportedOperationException.class,
                () -> DelegationStatus.open().clear());
        assertThrows(
                UnsupportedOperationException.class,
                () -> DelegationStatus.inFlight().clear());
    }

    @Test
    void givesSqlTheWordsOfASet() {
        assertArrayEquals(
                new String[] {"dispatched", "in_progress"}, DelegationStatus.wireNames(DelegationStatus.inFlight()));
    }
}
