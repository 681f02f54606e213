// The one reducer: how an event changes domain state. Both layouts and every rebuild go through it.
#pragma once

#include "contracts/events.h"
#include "storage/domain_state.h"

namespace pimemory {

// Total: an unknown target skips that effect. Depends only on earlier state and the event. The event has passed
// decode_event or validate_payload; a tombstone reduces to nothing.
void reduce_event(DomainState& state, const MemoryEvent& event);

// What a terminal resolution does to a fact's interval (the only place that computes it): the end becomes
// max(start, min(effective, end)).
TimeMs closed_end(const FactRow& fact, TimeMs effective);

// The standing that holds at t: the last non-terminal one while a terminal fact's interval still contains t.
std::string effective_standing(const FactRow& fact, TimeMs t);

}  // namespace pimemory
