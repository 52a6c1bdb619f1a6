package io.rollcall.delegation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is registered when a delegation completes, in the transaction that completes it. */
@ApplicationScoped
class FollowUps {
    private final Admissions admissions;
    private final ObjectMapper json;

    FollowUps(Admissions admissions, ObjectMapper json) {
        this.admissions = admissions;
        this.json = json;
    }

    /** Adds the follow-ups of those changes that are completions; what is left is to write that they were registered. */
    List<Change> addAll(List<Change> changes) {
        List<Change> added = new ArrayList<>();
        for (Change change : changes) {
            if (change.event().to() == DelegationStatus.COMPLETED
                    && change.delegation().hasFollowUps()) {
                added.addAll(add(change.delegation(), change.event()));
            }
        }
        return added;
    }

    private List<Change> add(Delegation parent, DelegationEvent completion) {
        List<FollowUp> wanted = read(String.valueOf(parent.onCompleted()));
        List<NewDelegation> requests = new ArrayList<>();
        for (int number = 0; number < wanted.size(); number++) {
            requests.add(request(wanted.get(number), parent, number));
        }
        Evidence evidence = Evidence.ofCaller(parent.terms().caller()).with("parentId", parent.id());
        return admissions.admit(requests, completion.at()).stream()
                .map(delegation -> new Change(delegation, delegation.registered(evidence)))
                .toList();
    }

    private NewDelegation request(FollowUp wanted, Delegation parent, int number) {
        return new NewDelegation(
                "",
                Successors.newId(),
                wanted.wanted(parent.terms().caller()),
                wanted.priority(),
                wanted.labels(),
                payload(wanted, parent),
                null,
                wanted.deadlineIn(),
                null,
                Lineage.followUpOf(parent, number),
                onCompleted(wanted.onCompleted()),
                null,
                null);
    }

    private NewDelegation.@Nullable OnCompleted onCompleted(@Nullable List<FollowUp> next) {
        return next == null || next.isEmpty() ? null : new NewDelegation.OnCompleted(write(next), next.size());
    }

    /** Its own, to which the parent's result is added where it is to be handed on: null where there was none. */
    private @Nullable String payload(FollowUp wanted, Delegation parent) {
        JsonNode own = wanted.payload();
        if (!wanted.passResult()) {
            return own == null || own.isNull() ? null : own.toString();
        }
        ObjectNode payload = json.createObjectNode();
        if (own instanceof ObjectNode fields) {
            payload.setAll(fields);
        }
        String result = parent.result();
        payload.set(FollowUp.PARENT_RESULT, result == null ? json.nullNode() : tree(result));
        return payload.toString();
    }

    private List<FollowUp> read(String text) {
        try {
            return json.readValue(text, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Stored follow-ups that are none", e);
        }
    }

    private JsonNode tree(String text) {
        try {
            return json.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A stored result that is not JSON", e);
        }
    }

    private String write(List<FollowUp> next) {
        try {
            return json.writeValueAsString(next);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Follow-ups that are not JSON", e);
        }
    }
}
