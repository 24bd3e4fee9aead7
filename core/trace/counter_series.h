#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/trace/quantity.h"

namespace highwater {

/// Where the step numbers of a series come from, most reliable first.
enum class StepNumbering : std::uint8_t
{
    None, ///< no steps: points are placed by time or by line
    Record, ///< the record itself names its step
    ProgressBar, ///< the progress bar before the record shows it
    Earlier, ///< the last record of the same stream that names a step
};

/// "none", "record", "progress-bar", "earlier-record".
std::string_view toText(StepNumbering source);

/// The start of the period that a peak covers.
enum class PeakSince : std::uint8_t
{
    NotAPeak,
    ProcessStart, ///< or since a reset, which the file does not record
    PreviousRecord, ///< the writer resets it at each record
};

/// "none", "process-start", "previous-record".
std::string_view toText(PeakSince since);

/// A sampled series: points in the order of the file. There is one for each measure, rank and device.
struct CounterSeries
{
    static constexpr std::int64_t kNoStep = -1;

    std::string name; ///< as in the file, else the metric; without a rank, so the same for all ranks
    std::optional<std::int64_t> deviceOrdinal;
    std::optional<std::int64_t> rank;
    std::string process; ///< the writer, if nothing else distinguishes writers: "WorkerDict pid=13908"
    std::string unit; ///< "bytes", "%", "s", "tokens"; empty: a bare number
    std::vector<double> value;

    // The columns below are empty, or as long as `value`.
    std::vector<Nanoseconds> time; ///< as `Trace` tells them; 0: not known
    std::vector<std::int64_t> step; ///< kNoStep: not known; may fall where a run was resumed
    std::vector<double> epoch; ///< negative: not known
    std::vector<std::uint64_t> line; ///< 1-based line of the file; 0: not known
    std::vector<std::uint32_t> label; ///< what the record was printed for: index into `labels`
    std::vector<std::string> labels; ///< distinct texts; the first is the empty one

    std::string metric; ///< one of the table's canonical names: "allocated", "reserved_peak"; empty: none
    std::optional<Quantity> quantity; ///< for bytes: which of these they are
    PeakSince since = PeakSince::NotAPeak;
    bool unitGuessed = false;
    std::string unitNote; ///< how the unit was determined: "GB read as GiB"
    StepNumbering stepNumbering = StepNumbering::None;
    std::string component; ///< part of a whole: "weights", "kv_cache"
    std::string stage; ///< stretch of the run that it belongs to: "train", "init"
    std::string pattern; ///< id of the table entry that read it

    std::size_t points() const { return value.size(); }
    std::int64_t stepAt(std::size_t point) const { return point < step.size() ? step[point] : kNoStep; }
    double epochAt(std::size_t point) const { return point < epoch.size() ? epoch[point] : -1; }
    Nanoseconds timeAt(std::size_t point) const { return point < time.size() ? time[point] : 0; }
    std::uint64_t lineAt(std::size_t point) const { return point < line.size() ? line[point] : 0; }
    const std::string& labelAt(std::size_t point) const
    {
        static const std::string kNone;
        return point < label.size() && label[point] < labels.size() ? labels[label[point]] : kNone;
    }
    /// Memory used by the vectors and strings.
    std::size_t memoryBytes() const;
};

} // namespace highwater
