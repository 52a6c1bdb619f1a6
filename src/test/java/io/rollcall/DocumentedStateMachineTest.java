package io.rollcall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rollcall.delegation.DelegationStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The state diagram for people and the one for the compiler are the same. */
class DocumentedStateMachineTest {
    private static final Path DOCUMENT = Path.of("docs", "architecture.md");
    private static final Pattern DIAGRAM = Pattern.compile("```mermaid\\s+stateDiagram-v2\\s(.*?)```", Pattern.DOTALL);
    private static final Pattern ARROW = Pattern.compile("^\\s*(\\S+) --> (\\S+)\\s*$", Pattern.MULTILINE);
    private static final String OUTSIDE = "[*]";

    @Test
    void drawsEveryLegalMoveAndNoOther() throws IOException {
        Set<String> moves = Arrays.stream(DelegationStatus.values())
                .flatMap(from -> from.successors().stream().map(to -> arrow(from.wireName(), to.wireName())))
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(moves, arrows(false));
    }

    @Test
    void entersWhereRegistrationStartsAndLeavesWhereNothingMayFollow() throws IOException {
        Set<String> ends = DelegationStatus.finals().stream()
                .map(status -> arrow(status.wireName(), OUTSIDE))
                .collect(Collectors.toCollection(TreeSet::new));
        ends.add(arrow(OUTSIDE, DelegationStatus.QUEUED.wireName()));
        ends.add(arrow(OUTSIDE, DelegationStatus.DISPATCHED.wireName()));

        assertEquals(ends, arrows(true));
    }

    private static Set<String> arrows(boolean toOrFromOutside) throws IOException {
        return ARROW.matcher(diagram())
                .results()
                .filter(found -> isOutside(found) == toOrFromOutside)
                .map(found -> arrow(found.group(1), found.group(2)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String diagram() throws IOException {
        return DIAGRAM.matcher(Files.readString(DOCUMENT))
                .results()
                .map(found -> found.group(1))
                .reduce((first, second) -> {
                    throw new AssertionError(DOCUMENT + " has several state diagrams");
                })
                .orElseThrow(() -> new AssertionError(DOCUMENT + " has no state diagram"));
    }

    private static boolean isOutside(MatchResult found) {
        return found.group(1).equals(OUTSIDE) || found.group(2).equals(OUTSIDE);
    }

    private static String arrow(String from, String to) {
        return from + " --> " + to;
    }
}
