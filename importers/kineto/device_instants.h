#pragma once

#include <map>

#include "core/trace/trace_builder.h"
#include "importers/kineto/records.h"

namespace highwater::kineto {

/// Creates the devices and their events from the instants of all devices.
///
/// The bytes allocated before recording began follow from the reported totals: the first total minus the sum
/// of the instants up to it. Memory of these bytes becomes one block, not counting the part that the trace
/// frees by address. Without totals (traces of 2021) the running sum is raised until it never falls below
/// zero. Without addresses a free ends the latest allocation of its size, which keeps every total exact. The
/// import log counts assumptions and contradictions. O(n log n), or O(n) if the instants are in order.
void addDevices(
    Column<MemoryInstant> instants, const std::map<std::int64_t, Gpu>& gpus, TraceBuilder& builder);

} // namespace highwater::kineto
