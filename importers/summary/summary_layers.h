#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/trace/summary/rank_summary.h"

namespace highwater::summary {

/// Bytes that are live from one moment of the summary to another.
struct Layer
{
    std::uint32_t birth = 0; ///< moment; 0: older than the recording
    std::uint32_t death = SummaryAllocation::kNever; ///< moment
    Bytes bytes = 0;
    std::uint32_t category = 0;
};

/// What a summary's levels hold beside its allocations: layers that make every category exact at every
/// moment. Of a category that shrinks the latest layers end, the last of them cut. Fails with Malformed where
/// the allocations hold more than a level. O(moments × categories + allocations).
Result<std::vector<Layer>> layersBesideAllocations(const RankSummary& summary);

} // namespace highwater::summary
