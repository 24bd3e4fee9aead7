#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/usage/live_sets.h"

namespace highwater {

/// What the allocations of a bin have in common.
enum class BinKind : std::uint8_t
{
    Range, ///< a value in [low, high)
    NotFreed, ///< never freed in the trace: how long it lives is not known
    Older, ///< freed in the trace but older than it: how long it lived is not known
};

struct HistogramBin
{
    BinKind kind = BinKind::Range;
    std::int64_t low = 0;
    std::int64_t high = 0;
    CountedBytes total;

    bool contains(std::int64_t value) const { return low <= value && value < high; }
};

/// A partition of a set: the totals of the bins sum to the total of the set. Ranges ascend without gaps, from
/// the first to the last that holds an allocation; those between may be empty.
struct Histogram
{
    std::vector<HistogramBin> bins;
    CountedBytes total;
};

/// By size: [0, 1), then powers of two: [1, 2), [2, 4), … bytes. O(set).
Histogram sizeHistogram(const AllocationTable& allocations, const LiveSet& set);

/// By lifetime in events: [0, 1), then decades: [1, 10), [10, 100), …, then one bin each for allocations
/// whose lifetime is not known, if there are any. O(set).
Histogram lifetimeHistogram(const AllocationTable& allocations, const LiveSet& set);

/// The bin of an allocation in a histogram built by the function above; bins.size(): none.
std::size_t sizeBinOf(const Histogram& histogram, const AllocationTable& allocations, AllocationIndex i);
std::size_t lifetimeBinOf(const Histogram& histogram, const AllocationTable& allocations, AllocationIndex i);

} // namespace highwater
