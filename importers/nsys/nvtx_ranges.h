#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/records.h"
#include "importers/nsys/string_lookup.h"

namespace highwater::nsys {

/// The NVTX ranges of an export.
struct NvtxRanges
{
    /// Ranges in file order, with the operators that can be visible: if there are memory rows, those that
    /// surround a row in time; otherwise the first 500,000.
    std::vector<NvtxRange> ranges;
    std::int64_t operatorCount = 0; ///< number of all operators in the file
    std::int64_t leftOutOperatorCount = 0; ///< number of operators beyond the limit
};

/// Reads the ranges and marks of NVTX_EVENTS, with names looked up and times made absolute. `rows` must be
/// sorted by time. Ranges that never end reach to the last time among ranges and rows.
NvtxRanges readNvtxRanges(
    Database& database, Nanoseconds offset, const std::vector<MemoryRow>& rows, StringPool& strings);

} // namespace highwater::nsys
