#pragma once

#include <map>
#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/kineto/records.h"

namespace highwater::kineto {

/// Creates the devices and their events from the instants of all devices.
///
/// The memory older than the trace follows from the reported totals: the first total minus the first
/// instant's bytes. It is one block, minus what the trace frees of it by address. Without totals (traces of
/// 2021) the running sum is raised until it never falls below zero. Without addresses a free ends the latest
/// allocation of its size, which keeps every total exact. Assumptions and contradictions are counted in the
/// import log.
void addDevices(
    Column<MemoryInstant> instants, const std::map<std::int64_t, Gpu>& gpus, TraceBuilder& builder);

} // namespace highwater::kineto
