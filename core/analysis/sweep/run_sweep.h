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

/// Figures of one run of a sweep, kept after its trace is released. Bytes are of `quantity` unless the name
/// says otherwise.
struct SweepRun
{
    static constexpr int kOutlineColumns = 128;

    std::string path;
    std::string device; ///< "cuda:0"
    Quantity quantity = Quantity::Requested;
    bool inferred = false; ///< counted by the allocator's rounding rule
    bool canGiveAllocated = false; ///< its allocations can be counted in allocated bytes
    std::int64_t events = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1; ///< −1: before the first
    std::string peakStep; ///< name of the step that contains the peak; empty: none does
    Phase peakPhase = Phase::Unknown;
    std::optional<Bytes> reservedPeakBytes; ///< none: not in the file
    CategoryBytes categories{}; ///< at the peak; Σ = peakBytes
    std::int64_t ooms = 0;
    std::vector<Bytes> outline; ///< largest totals of equal stretches of the events
    SettingTexts settings;
    bool incomplete = false; ///< its figures are lower bounds
    std::string error; ///< one sentence; empty unless it cannot be read

    bool isReadable() const { return error.empty(); }
};

/// For a device in the quantity of the study. O(allocations + events).
SweepRun sweepRun(std::string path, const DeviceStudy& study, const DeviceFigures& figures);
/// For a file that cannot be read, or has nothing to compare.
SweepRun unreadableRun(std::string path, std::string error);

/// A run in the comparison.
struct SweepRow
{
    SweepRun run;
    std::string name; ///< its file's name, with enough folders to be unique
    std::optional<Bytes> deltaBytes; ///< its peak minus that of the reference; none: one of them has no peak
};

/// Runs in comparison, one row each. Immutable.
struct RunSweep
{
    Quantity quantity = Quantity::Requested; ///< of all readable runs
    bool inferred = false; ///< for some of them by the allocator's rounding rule
    std::vector<SweepRow> rows; ///< as given
    std::size_t reference = 0; ///< the row that the others are compared with
    std::vector<SettingOfRuns> settings; ///< values by row
};

/// The quantity in which all of these runs can be counted; none: there is none.
std::optional<Quantity> commonQuantity(const std::vector<SweepRun>& runs);

/// All readable runs should count the same quantity: runs of different quantities have no difference.
/// `reference` is one of the runs. O(runs × settings).
RunSweep compareSweep(std::vector<SweepRun> runs, std::size_t reference = 0);

/// The highest total of all readable runs; 0 without any.
Bytes highestPeak(const RunSweep& sweep);

/// "a, b, c and 4 more".
std::string namesText(const std::vector<std::string>& names);

/// The main results: which run peaks lowest and highest, which ran out of memory, which cannot be read.
/// O(runs).
std::vector<std::string> sweepSentences(const RunSweep& sweep);

enum class SweepOrder : std::uint8_t
{
    Given,
    Peak, ///< highest first
    Name,
    Reserved, ///< highest first
    Delta, ///< largest growth first
};

/// "given", "peak", "name", "reserved", "delta".
std::optional<SweepOrder> sweepOrderFromText(std::string_view text);

/// Row indices in this order; rows without the figure come last, equal ones in the given order. O(n log n).
std::vector<std::size_t> sortedRows(const RunSweep& sweep, SweepOrder order);

/// Maxima of `columns` equal stretches of an outline.
std::vector<Bytes> condensed(const std::vector<Bytes>& outline, std::size_t columns);

} // namespace highwater
