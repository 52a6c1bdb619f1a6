package io.rollcall.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollcall.delegation.FollowUp;
import io.rollcall.delegation.NewDelegation;
import io.rollcall.http.problem.Problem;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns follow-ups in requests into what is stored, and refuses what could not be registered once its time has come. */
@Singleton
class FollowUpTerms {
    /** In one list. */
    static final int MAX_LIST = 20;

    /** In all lists of one registration together. */
    private static final int MAX_NUMBER = 100;

    /** How deep lists may stand in lists. */
    private static final int MAX_DEPTH = 5;

    private final CanonicalJson json;
    private final GateTerms gates;
    private final ObjectMapper mapper;

    FollowUpTerms(CanonicalJson json, GateTerms gates, ObjectMapper mapper) {
        this.json = json;
        this.gates = gates;
        this.mapper = mapper;
    }

    /**
     * Follow-ups as they are stored; null where there are none.
     *
     * @param caller of the delegation that they follow
     * @param field where they stand in the request
     */
    NewDelegation.@Nullable OnCompleted stored(@Nullable List<FollowUpRequest> requests, String caller, String field) {
        if (requests == null || requests.isEmpty()) {
            return null;
        }
        if (count(requests) > MAX_NUMBER) {
            throw Problem.invalid(
                    field, "must not hold more than " + MAX_NUMBER + " follow-ups, on all levels together");
        }
        return new NewDelegation.OnCompleted(json.of(all(requests, caller, field, 1)), requests.size());
    }

    private static int count(@Nullable List<FollowUpRequest> requests) {
        return requests == null
                ? 0
                : requests.size()
                        + requests.stream()
                                .mapToInt(request -> count(request.onCompleted()))
                                .sum();
    }

    private List<FollowUp> all(List<FollowUpRequest> requests, String caller, String field, int depth) {
        if (depth > MAX_DEPTH) {
            throw Problem.invalid(field, "must not stand deeper than on level " + MAX_DEPTH);
        }
        List<FollowUp> followUps = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            followUps.add(one(requests.get(i), caller, field + "[" + i + "]", depth));
        }
        return followUps;
    }

    private FollowUp one(FollowUpRequest request, String caller, String field, int depth) {
        if (request.caller() != null && !request.caller().equals(caller)) {
            throw Problem.invalid(field + ".caller", "must be that of the delegation that it follows");
        }
        String gate = gates.stored(request.gate(), field + ".gate");
        return new FollowUp(
                request.agent(),
                request.queue(),
                request.task(),
                payload(request, field + ".payload"),
                request.labels() == null ? Map.of() : request.labels(),
                request.priority() == null ? Registering.DEFAULT_PRIORITY : request.priority(),
                request.deadlineIn(),
                request.heartbeatTimeout(),
                request.queueTimeout(),
                request.maxRunning(),
                request.maxRequeues(),
                request.recovery(),
                gate == null ? null : mapper.valueToTree(request.gate()),
                Boolean.TRUE.equals(request.passResult()),
                request.onCompleted() == null
                        ? null
                        : all(request.onCompleted(), caller, field + ".onCompleted", depth + 1));
    }

    private @Nullable JsonNode payload(FollowUpRequest request, String field) {
        JsonNode payload = request.payload();
        if (json.document(payload, field) == null) {
            return null;
        }
        boolean mustTakeResult = Boolean.TRUE.equals(request.passResult());
        if (payload != null && mustTakeResult && (!payload.isObject() || payload.has(FollowUp.PARENT_RESULT))) {
            throw Problem.invalid(
                    field, "must be an object without a field " + FollowUp.PARENT_RESULT + ", which is to be added");
        }
        return payload;
    }
}
