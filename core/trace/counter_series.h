#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/trace/quantity.h"

namespace highwater {

/// The source of the step numbers of a series; after None, the most reliable first.
enum class StepNumbering : std::uint8_t
{
    None, ///< No steps: points are ordered by time or by line
    Record, ///< The record itself names its step
    ProgressBar, ///< From the progress bar before the record
    Earlier, ///< From the last record of the same stream that names a step
};

/// Returns "none", "record", "progress-bar", "earlier-record".
std::string_view toText(StepNumbering source);

/// The moment from which a recorded peak counts.
enum class PeakSince : std::uint8_t
{
    NotAPeak,
    ProcessStart, ///< Or a later reset that the file does not record
    PreviousRecord, ///< The writer resets the peak at each record
};

/// Returns "none", "process-start", "previous-record".
std::string_view toText(PeakSince since);

/// A sampled series of one measure, rank and device. Points are in the order of the file and are numbered
/// from 0. The columns from `time` to `label` are parallel to `value`, or empty if the file has no such
/// data.
struct CounterSeries
{
    static constexpr std::int64_t kNoStep = -1;

    std::string name; ///< The name in the file, else the metric; without the rank, so equal for all ranks
    std::optional<std::int64_t> deviceOrdinal;
    std::optional<std::int64_t> rank;
    std::string process; ///< The writer, if nothing else distinguishes writers: "WorkerDict pid=13908"
    std::string unit; ///< "bytes", "%", "s", "tokens"; empty for a bare number
    std::vector<double> value; ///< In `unit`

    std::vector<Nanoseconds> time; ///< On the clock of TraceMetadata::clock; 0 where unknown
    std::vector<std::int64_t> step; ///< kNoStep where unknown; may decrease where a run was resumed
    std::vector<double> epoch; ///< Negative where unknown
    std::vector<std::uint64_t> line; ///< 1-based line of the file; 0 where unknown
    std::vector<std::uint32_t> label; ///< The occasion of the record: index into `labels`
    std::vector<std::string> labels; ///< Distinct texts; the first is empty

    std::string metric; ///< Canonical name from the table: "allocated", "reserved_peak"; may be empty
    std::optional<Quantity> quantity; ///< The quantity counted, if the unit is bytes
    PeakSince since = PeakSince::NotAPeak;
    bool unitGuessed = false; ///< True if another unit is possible
    std::string unitNote; ///< How the unit was determined: "GB taken as GiB"; does not repeat `unitGuessed`
    StepNumbering stepNumbering = StepNumbering::None;
    std::string component; ///< Part of a whole: "weights", "kv_cache"
    std::string stage; ///< Stage of the run: "train", "init"
    std::string pattern; ///< Id of the table entry that matched the record

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
    /// Returns the bytes of the object, its columns and its labels.
    std::size_t memoryBytes() const;
};

} // namespace highwater
