#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_figures.h"

namespace highwater {

/// One device of one rank in the comparison. Devices are never merged, whatever their index.
struct RankRow
{
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

    std::size_t file = 0; ///< index into `RankTable::files`
    /// Index into the file's devices; kNone if the file cannot be read, or has no device.
    std::size_t device = kNone;
    std::size_t group = kNone; ///< index into `RankTable::groups`; kNone if the peak is not compared
    Bytes aboveMedian = 0; ///< peak minus the median of the group
    bool isOutlier = false;
};

/// Ranks that should have similar peaks: same pipeline stage, same training step, same quantity.
struct RankGroup
{
    std::optional<std::int64_t> step;
    std::optional<std::int64_t> stage;
    Quantity quantity = Quantity::Requested;
    std::size_t rankCount = 0;
    Bytes medianPeak = 0; ///< for an even count the mean of the middle two, rounded down
    Bytes deviation = 0; ///< median of the absolute differences from the median
    Bytes lowestPeak = 0;
    Bytes highestPeak = 0;
};

/// The call site that contributes most to the difference between the peaks of two ranks.
struct SiteDifference
{
    std::string key;
    Bytes bytes = 0; ///< bytes of the first rank minus those of the second
};

/// A common factor between the bytes of two ranks at many call sites, as batches of different size cause it.
struct CommonFactor
{
    double factor = 1; ///< bytes of the first rank per byte of the second
    std::size_t sites = 0;
    Bytes difference = 0; ///< of all these sites
};

/// The comparison of a run's files, one per rank. Only complete files are compared, by their main device.
/// Files of unknown rank are compared only if no rank is known.
struct RankTable
{
    std::vector<std::shared_ptr<const RankFile>> files; ///< as given
    std::vector<RankRow> rows; ///< in order of files, the main device of each first
    std::vector<RankGroup> groups;
    /// The main results, most important first: memory ran out, outliers, missing files.
    std::vector<std::string> sentences;

    /// Returns null for a row without a device.
    const RankDevice* deviceOf(const RankRow& row) const;
    /// Returns the row of a file's main device.
    std::size_t mainRow(std::size_t file) const;
};

/// Returns the call site whose bytes at the peak differ most, `device` − `other`; nullopt if none differs.
/// O(sites of both).
std::optional<SiteDifference> largestSiteDifference(const RankDevice& device, const RankDevice& other);

/// Returns the factor that most of the difference shares, if `device` holds more: at least three call sites
/// agree on it within 2%, and they make up at least half of the bytes by which the peaks differ. nullopt if
/// there is none. O(sites²).
std::optional<CommonFactor> commonFactor(const RankDevice& device, const RankDevice& other);

/// True if all main devices have outlines by time, and all their recordings overlap at some moment.
bool hasOverlappingTimes(const RankTable& table);

} // namespace highwater
