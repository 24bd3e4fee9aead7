#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_figures.h"

namespace highwater {

/// One device of one rank beside the others. Devices are never merged, whatever their index.
struct RankRow
{
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    std::size_t file = 0; ///< in `RankTable::files`
    std::size_t device = kNone; ///< in the file's devices; none: it cannot be read, or holds no device
    std::size_t group = kNone; ///< the ranks that its peak is compared with; none: it is not compared
    Bytes aboveMedian = 0; ///< its peak minus the median of its group
    bool outlier = false;
};

/// Ranks that should look alike: of one pipeline stage, written at one step, counting the same bytes.
struct RankGroup
{
    std::optional<std::int64_t> step;
    std::optional<std::int64_t> stage;
    Quantity quantity = Quantity::Requested;
    std::size_t ranks = 0;
    Bytes medianPeak = 0; ///< of an even number the mean of the middle two, rounded down
    Bytes deviation = 0; ///< median of the absolute differences from the median
    Bytes lowestPeak = 0;
    Bytes highestPeak = 0;
};

/// The call site that makes most of the difference between the peaks of two ranks.
struct SiteDifference
{
    std::string key;
    Bytes bytes = 0; ///< of the one minus of the other
};

/// The files of a run as the ranks that they are. Complete files are compared by their main device; those of
/// unknown rank only where no file's rank is known.
struct RankTable
{
    std::vector<std::shared_ptr<const RankFile>> files; ///< as given
    std::vector<RunMember> pending; ///< not loaded yet: they are not missing
    std::vector<RankRow> rows; ///< in order of files, in each the main device first
    std::vector<RankGroup> groups;
    /// What a person should know, most important first: memory ran out, outliers, what is missing.
    std::vector<std::string> sentences;

    const RankDevice* deviceOf(const RankRow& row) const;
    /// The row of a file's main device.
    std::size_t mainRow(std::size_t file) const;
};

/// Over the union of both; none where both hold the same.
std::optional<SiteDifference> largestSiteDifference(const RankDevice& device, const RankDevice& other);

/// Whether all main devices have times and there is a moment that lies in all of them.
bool onOneClock(const RankTable& table);

} // namespace highwater
