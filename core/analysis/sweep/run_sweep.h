#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/setting_changes.h"

namespace highwater {

/// The figures of one run of a sweep, kept after its trace is released. Bytes are in `quantity` unless the
/// name says otherwise.
struct SweepRun
{
    static constexpr int kOutlineColumns = 128;

    std::string path;
    std::string device; ///< "cuda:0"
    Quantity quantity = Quantity::Requested;
    bool isInferred = false; ///< true if figures are computed with the allocator's rounding rule
    bool hasAllocatedBytes = false; ///< true if the study can be made in allocated bytes
    std::int64_t eventCount = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1; ///< −1 for the moment before the first event
    std::string peakStep; ///< name of the step that contains the peak; empty if no step does
    Phase peakPhase = Phase::Unknown;
    std::optional<Bytes> reservedPeakBytes; ///< nullopt if the file does not give it
    CategoryBytes categories{}; ///< bytes at the peak; they add up to peakBytes
    std::int64_t oomCount = 0;
    std::string oomStep; ///< name of the step of the first one; empty if no step has it
    std::vector<Bytes> outline; ///< largest total of each of equally long ranges of events
    std::vector<std::size_t> oomRanges; ///< indices of the ranges in which memory ran out
    SettingTexts settings;
    bool isIncomplete = false; ///< true if its figures are lower bounds
    std::string error; ///< why the run has no figures, in one sentence; else empty
    bool hasFailed = false; ///< true if its file cannot be read

    bool isReadable() const { return error.empty(); }
};

/// Returns the figures of a device in the quantity of the study. O(allocations + events).
SweepRun sweepRun(std::string path, const DeviceStudy& study, const DeviceFigures& figures);
/// Make an entry for a file that was not read, cannot be read or, with BadRequest, has nothing to compare.
SweepRun unreadableRun(std::string path, std::string reason);
SweepRun unreadableRun(std::string path, const Error& error);

/// One run in the comparison.
struct SweepRow
{
    SweepRun run;
    std::string name; ///< file name, with enough folders to distinguish other paths
    std::optional<Bytes> deltaBytes; ///< peak − the reference's; nullopt if unreadable or in another quantity
};

/// A comparison of runs, one row each. Immutable.
struct RunSweep
{
    Quantity quantity = Quantity::Requested; ///< quantity of all readable runs
    bool isInferred = false; ///< true if some runs are computed with the allocator's rounding rule
    std::vector<SweepRow> rows; ///< in the given order
    std::size_t reference = 0; ///< index of the row with which the others are compared
    std::vector<SettingOfRuns> settings; ///< the differing settings, with values by row
};

/// Returns a quantity in which all readable runs can be counted, Requested without runs; nullopt if there is
/// none.
std::optional<Quantity> commonQuantity(const std::vector<SweepRun>& runs);

/// Compares the runs with the run at index `reference`, by default the first readable one that did not run
/// out of memory, or else the first readable one. All readable runs should be in one quantity; a run in
/// another quantity than the reference gets no difference. O(runs × settings).
RunSweep compareSweep(std::vector<SweepRun> runs, std::optional<std::size_t> reference = std::nullopt);

/// Returns the highest total of all readable runs; 0 if there are none.
Bytes highestPeak(const RunSweep& sweep);

/// Returns the names as text, at most three: "a, b, c and 4 more".
std::string namesText(const std::vector<std::string>& names);

/// Returns the main results: how much each run adds if they grow alike, the runs with the lowest and highest
/// peak, what differs most between these if the runs do not grow alike, the runs that ran out of memory, and
/// those that cannot be read. O(runs).
std::vector<std::string> sweepSentences(const RunSweep& sweep);

/// The order of the rows.
enum class SweepOrder : std::uint8_t
{
    Given,
    Peak, ///< highest first
    Name,
    Reserved, ///< highest first
    Delta, ///< largest growth first
};

/// Parses "given", "peak", "name", "reserved" or "delta"; nullopt for other texts.
std::optional<SweepOrder> sweepOrderFromText(std::string_view text);

/// Returns the row indices in this order. Rows without the figure come last, and rows with equal figures keep
/// the given order. O(n log n).
std::vector<std::size_t> sortedRows(const RunSweep& sweep, SweepOrder order);

/// Returns the maxima of `columns` equal parts of an outline; a shorter outline is returned unchanged.
std::vector<Bytes> maximaOfParts(const std::vector<Bytes>& outline, std::size_t columns);

} // namespace highwater
