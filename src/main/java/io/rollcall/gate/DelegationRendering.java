package io.rollcall.gate;

import io.rollcall.delegation.DelegationDetail;

/** How a delegation is shown to those outside: as the API shows it. */
public interface DelegationRendering {
    /** One as JSON, with payload and result. */
    String json(DelegationDetail detail);
}
