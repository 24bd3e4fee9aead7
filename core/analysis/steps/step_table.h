#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/steps/grade.h"
#include "core/analysis/steps/phase_table.h"
#include "core/base/units.h"

namespace highwater {

/// What tells the steps of a training run apart, best first.
enum class StepSource : std::uint8_t
{
    ProfilerStep, ///< `ProfilerStep#N` spans
    OptimizerAnnotation, ///< `Optimizer.step#…` annotations of the recorder
    Ranges, ///< annotations that the user or NVTX wrote, one for each step
    Log, ///< step lines of a log on the same clock
    Frames, ///< optimizer frames, or the line of the training loop that comes around again
    Periodicity, ///< the sequence of sizes (and stacks) repeats itself
    Manual, ///< events that the user has set
    Whole, ///< nothing tells steps apart: the whole trace is one
};

/// As in the command line's contract: "profiler-step", "optimizer-annotation", "nvtx", "log", "frames",
/// "periodicity", "manual", "whole".
std::string_view toText(StepSource source);
std::optional<StepSource> stepSourceFromText(std::string_view text);

/// One forward-backward pair inside a step.
struct MicroStep
{
    std::int64_t begin = 0; ///< events [begin, end)
    std::int64_t end = 0;
    Bytes startBytes = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1;
    Bytes endBytes = 0;
};

/// Events [begin, end) and the totals in them. The peak is the largest of the total before `begin` and those
/// after each event; `peakEvent` = begin − 1 where the start is the largest.
struct Step
{
    std::string name; ///< "ProfilerStep#3", "step 3", "warm-up"
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Bytes startBytes = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1;
    Bytes endBytes = 0;
    Phase peakPhase = Phase::Unknown;
    StepSource source = StepSource::Whole; ///< what tells it from its neighbours
    Grade grade = Grade::C;
    bool complete = true; ///< false: the trace ends before the step's optimizer
    std::vector<MicroStep> microSteps; ///< empty where they cannot be told apart, or there is one only

    /// What the step left behind, net: endBytes − startBytes.
    Bytes retainedBytes() const { return endBytes - startBytes; }
};

/// The steps of one device. They tile its events: the first begins at 0, each ends where the next begins, the
/// last ends at the number of events. A device without events has none.
struct StepTable
{
    StepSource source = StepSource::Whole; ///< the best; others may tell the steps that it does not cover
    Grade grade = Grade::C; ///< the lowest of the steps
    std::string reason; ///< one sentence: what told the steps apart, or why nothing did
    std::vector<Step> steps;

    /// The step that an event lies in; none for events before the first. O(log steps).
    std::optional<std::size_t> stepOf(std::int64_t event) const;
};

} // namespace highwater
