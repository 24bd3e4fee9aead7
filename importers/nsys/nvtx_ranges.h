#pragma once

#include <vector>

#include "core/trace/trace_builder.h"
#include "importers/nsys/records.h"
#include "importers/nsys/string_lookup.h"

namespace highwater::nsys {

/// The NVTX ranges of an export.
struct NvtxRanges
{
    /// Ranges in file order. Contains only operators that can be visible. If there are memory rows, these are
    /// the operators that surround a row in time; otherwise all, up to a limit.
    std::vector<NvtxRange> ranges;
    std::int64_t operators = 0; ///< all operators in the file
    std::int64_t operatorsLeftOut = 0; ///< operators beyond the limit
};

/// Reads the ranges and marks of NVTX_EVENTS, with names looked up and times made absolute. `rows` must be
/// sorted by time. Ranges that never end reach to the last time among ranges and rows.
NvtxRanges readNvtxRanges(
    Database& database, Nanoseconds offset, const std::vector<MemoryRow>& rows, StringPool& strings);

} // namespace highwater::nsys
