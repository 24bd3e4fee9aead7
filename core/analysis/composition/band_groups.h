#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/composition/band_group.h"
#include "core/analysis/composition/kept_blocks.h"
#include "core/analysis/stacks/call_site.h"
#include "core/analysis/usage/live_index.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// The property by which the bands of the timeline are grouped.
enum class BandMode : std::uint8_t
{
    Allocations,
    Site,
    SizeClass,
    Stream,
    Pool,
    Category,
    Step, ///< step that allocated them
    Module, ///< outermost modules and those that they call: the layers of a model; else the NoModule
};
inline constexpr std::size_t kBandModeCount = 8;

/// Returns "allocations", "site", "size", "stream", "pool", "category", "step", "module".
std::string_view toText(BandMode mode);
std::optional<BandMode> bandModeFromText(std::string_view text);

/// Index of a group of bands, in stacking order from the bottom.
using GroupRank = std::uint16_t;

/// A partition of all allocations into groups, each drawn as one band. The group that is largest at the run's
/// peak is at the bottom, ties by key; categories are in their stackingOrder, steps in their own order, and
/// modules family by family, layers in the order of their first allocation.
/// Inside a group, allocations have the order of the table. In mode Allocations there is one group. In a
/// result of `stackBands`, the allocations kept from earlier steps form a separate group, so the group
/// of an allocation depends on the moment.
struct BandGroups
{
    BandMode mode = BandMode::Allocations;
    std::vector<BandGroup> groups; ///< by rank
    std::vector<GroupRank> rankOf; ///< by allocation; empty if there is only one group
    std::shared_ptr<const KeptBlocks> keptBlocks; ///< null if kept allocations have no separate group
    std::vector<GroupRank>
        keptRankOf; ///< by rank: rank of the group's kept part; used if `keptBlocks` is set

    GroupRank rank(AllocationIndex i) const { return rankOf.empty() ? GroupRank{0} : rankOf[i]; }
    /// Returns the rank right after an event.
    GroupRank rankAt(AllocationIndex i, std::int64_t event) const
    {
        return keptBlocks && keptBlocks->isKept(i, event) ? keptRankOf[rank(i)] : rank(i);
    }
    bool isSingle() const { return rankOf.empty(); }
};

/// Groups the allocations for a mode. Size classes are powers of two: "16 MiB to 32 MiB". At most 4,096
/// groups are kept; those that are smaller at the peak, or in mode Step later, share the last one. Only modes
/// Category and Step use `categories` and `steps`; if these are null, all categories are unknown and no
/// allocation has a step. O(allocations).
BandGroups groupBands(const Trace& trace, const LiveIndex& live, const CallSites& sites,
    std::int64_t peakEvent, BandMode mode, const CategoryTable* categories = nullptr,
    const StepTable* steps = nullptr);

/// Returns the modes that are useful for this device: those whose property has at least two recorded values.
/// Allocations always comes first. If the trace's tables have only one value, allocations are not searched;
/// otherwise the search ends at the second value. Mode Module is useful if any stack calls a module.
std::vector<BandMode> usefulBandModes(const Trace& trace, const LiveIndex& live, const CallSites& sites,
    const CategoryTable* categories = nullptr, const StepTable* steps = nullptr);

} // namespace highwater
