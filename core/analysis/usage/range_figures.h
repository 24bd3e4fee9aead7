#pragma once

#include <cstdint>

#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// A number of allocations and their total size.
struct CountedBytes
{
    std::int64_t count = 0;
    Bytes bytes = 0;

    void add(Bytes size)
    {
        ++count;
        bytes += size;
    }
    bool operator==(const CountedBytes&) const = default;
};

/// The totals of the events [first, last). atBegin + born − freed = atEnd holds exactly.
struct RangeFigures
{
    std::int64_t first = 0;
    std::int64_t last = 0;
    CountedBytes atBegin; ///< alive before the range's first event
    CountedBytes born; ///< allocated in the range
    CountedBytes freed; ///< freed in the range, whenever allocated
    CountedBytes bornAndFreed; ///< both allocated and freed in the range
    CountedBytes surviving; ///< allocated in the range and alive after its last event
    CountedBytes atEnd; ///< alive after its last event
    CurvePeak peak; ///< largest total in the range
};

/// Computes the totals. O(allocations).
RangeFigures rangeFigures(
    const AllocationTable& allocations, const UsageCurve& curve, std::int64_t first, std::int64_t last);

} // namespace highwater
