#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/device_map.h"
#include "importers/nsys/nvtx_ranges.h"
#include "importers/nsys/runtime_calls.h"

namespace highwater::nsys {

/// The parts that were read from an export.
struct ReadExport
{
    const ExportDescription& description;
    const std::vector<MemoryRow>& rows;
    const NvtxRanges& nvtx;
    const std::vector<RefusedCall>& refused;
    const DeviceMap& devices;
};

/// Fills in the trace's metadata. Explains in the import log what the figures mean and what is missing. If
/// there are no memory events, names the reason and the option that records them.
void describeTrace(const ReadExport& content, Database& database, TraceBuilder& builder);

} // namespace highwater::nsys
