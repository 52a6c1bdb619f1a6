package io.rollcall.http;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** One heartbeat of many: as a single one, with the id of its delegation. */
record BulkItem(@NotNull UUID id, @JsonUnwrapped HeartbeatRequest request) {}
