#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/usage/live_sets.h"

namespace highwater {

/// The property that the allocations of a bin share.
enum class BinKind : std::uint8_t
{
    Range, ///< a value in [low, high)
    NotFreed, ///< never freed in the trace, so the lifetime is at least the value in [low, high)
    Older, ///< freed in the trace but older than it, so the lifetime is unknown
};

/// The number and bytes of the allocations whose size or lifetime is in [low, high), or is unknown (`kind`).
struct HistogramBin
{
    BinKind kind = BinKind::Range;
    std::int64_t low = 0;
    std::int64_t high = 0;
    CountedBytes total;

    bool contains(std::int64_t value) const { return low <= value && value < high; }
};

/// A partition of a set: the totals of the bins sum to the total of the set. Bins of kind Range ascend
/// without gaps from the first to the last with an allocation; those in between may be empty. Bins of other
/// kinds never are.
struct Histogram
{
    std::vector<HistogramBin> bins;
    CountedBytes total;
};

/// Returns bins by size: [0, 1), then powers of two: [1, 2), [2, 4), … bytes. O(set).
Histogram sizeHistogram(const AllocationTable& allocations, const LiveSet& set);

/// Returns bins by lifetime in events: [0, 1), then decades: [1, 10), [10, 100), …; then the same decades for
/// the age of allocations that are not freed, and a bin for freed ones that are older than the trace. O(set).
Histogram lifetimeHistogram(const AllocationTable& allocations, const LiveSet& set);

/// Returns the index of the bin of an allocation in a histogram made by `sizeHistogram` or
/// `lifetimeHistogram`; bins.size() if it has none.
std::size_t findSizeBin(const Histogram& histogram, const AllocationTable& allocations, AllocationIndex i);
std::size_t findLifetimeBin(
    const Histogram& histogram, const AllocationTable& allocations, AllocationIndex i);

} // namespace highwater
