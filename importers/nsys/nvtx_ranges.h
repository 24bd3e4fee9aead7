#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/records.h"
#include "importers/nsys/string_lookup.h"

namespace highwater::nsys {

struct NvtxRanges
{
    /// In the order of the file. Of operators only those that can be seen: with memory rows, the ones that
    /// enclose one in time; without, up to a bound.
    std::vector<NvtxRange> ranges;
    std::int64_t operators = 0; ///< all that the file has
    std::int64_t operatorsLeftOut = 0; ///< beyond the bound
};

/// Ranges and marks of NVTX_EVENTS, names looked up, times made absolute. `rows`: by time. Ranges that never
/// end reach to the last time that ranges and rows tell.
NvtxRanges readNvtxRanges(
    Database& database, Nanoseconds offset, const std::vector<MemoryRow>& rows, StringPool& strings);

} // namespace highwater::nsys
