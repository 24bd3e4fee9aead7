#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater::summary {

/// Bytes that are live between two moments of the summary.
struct Layer
{
    std::uint32_t birth = 0; ///< index of a moment; 0 if allocated before recording began
    std::uint32_t death = SummaryAllocation::kNever; ///< index of a moment, or kNever
    Bytes bytes = 0;
    std::uint32_t category = 0;
};

/// Returns layers for the bytes of each category beyond the summary's allocations, so that allocations and
/// layers together are exact for every category at every moment. Fails with Malformed if the allocations
/// exceed the bytes of their category. O(moments × categories + allocations).
Result<std::vector<Layer>> layersBeyondAllocations(const RankSummary& summary);

} // namespace highwater::summary
