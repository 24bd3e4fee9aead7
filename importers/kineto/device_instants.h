#pragma once

#include <map>
#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/kineto/records.h"

namespace highwater::kineto {

/// Makes the devices and their events out of the instants of all devices.
///
/// What is older than the trace follows from the reported totals: the first total less the first instant's
/// bytes. It is one block, less what the trace frees of it by address. Without totals (traces of 2021) the
/// running sum is lifted until it never goes below zero. Without addresses a free ends the latest allocation
/// of its size, which keeps every total exact. Assumptions and disagreements are counted in the import log.
void addDevices(
    std::vector<MemoryInstant> instants, const std::map<std::int64_t, Card>& cards, TraceBuilder& builder);

} // namespace highwater::kineto
