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

/// The way in which the steps of a training run were found, best source first.
enum class StepSource : std::uint8_t
{
    ProfilerStep, ///< `ProfilerStep#N` spans
    OptimizerAnnotation, ///< `Optimizer.step#…` annotations of the recorder
    Ranges, ///< annotations of the user or NVTX, one for each step
    Log, ///< step lines of a log on the same clock
    Frames, ///< optimizer frames, or the recurring line of the training loop
    Periodicity, ///< a repeating sequence of sizes (and stacks)
    Manual, ///< events chosen by the user
    Whole, ///< no steps found: the whole trace is one step
};

/// Returns the name in the command line's contract: "profiler-step", "optimizer-annotation", "nvtx", "log",
/// "frames", "periodicity", "manual", "whole".
std::string_view toText(StepSource source);
/// Returns where steps come from, for people: "profiler steps", "optimizer annotations", "stacks", …
std::string_view inWords(StepSource source);
/// Parses a name that `toText` returns; nullopt for any other text.
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

/// One training step: events [begin, end) and their totals. The peak is the largest total before `begin` or
/// after an event of the step; `peakEvent` is begin − 1 if the total before `begin` is the largest.
struct Step
{
    std::string name; ///< "ProfilerStep#3", "step 3", kWarmUp, kRemainder
    std::int64_t begin = 0;
    std::int64_t end = 0;
    Bytes startBytes = 0;
    Bytes peakBytes = 0;
    std::int64_t peakEvent = -1;
    Bytes endBytes = 0;
    Phase peakPhase = Phase::Unknown;
    StepSource source = StepSource::Whole; ///< the source that found its beginning
    Grade grade = Grade::C;
    bool isComplete = true; ///< false if the recording may have only a part of it
    std::vector<MicroStep> microSteps; ///< empty if they cannot be found, or there is only one

    /// The memory that the step left behind: allocated in it, and not freed before `StepTable::keptUntil`.
    /// nullopt for the step with which the recording ends, and for a summary, which lacks the allocations.
    std::optional<Bytes> leftBehindBytes;

    /// Returns how much more is in use at the end than at the start. This is less than what the step left
    /// behind if it also freed memory of earlier steps.
    Bytes retainedBytes() const { return endBytes - startBytes; }
    /// False for the events before the first step and those after the last, which complete the tiling of the
    /// trace.
    bool isCounted() const { return name != kWarmUp && name != kRemainder; }
    bool isCountedAndComplete() const { return isCounted() && isComplete; }

    static constexpr std::string_view kWarmUp = "warm-up";
    static constexpr std::string_view kRemainder = "remainder";
};

/// The steps of one device. They tile its events: the first begins at 0, each ends where the next begins, and
/// the last ends at the number of events. A device without events has no steps.
struct StepTable
{
    StepSource source = StepSource::Whole; ///< the best source; others may fill its gaps
    Grade grade = Grade::C; ///< lowest grade of the steps
    std::string reason; ///< one sentence: how the steps were found, or why none were
    std::vector<Step> steps;
    /// Earlier events are lost (`lostStart`), so steps that Highwater numbers have other numbers in the run.
    bool startsLate = false;

    /// Returns the step that contains an event; nullopt before the first event and after the last. O(log
    /// steps).
    std::optional<std::size_t> stepOf(std::int64_t event) const;
    /// Returns the end of the next step, or of the recording if there is none. Memory of this step that is
    /// not freed before it is left behind; what the next step frees is only passed on to it.
    std::int64_t keptUntil(std::size_t step) const;
    /// Returns the name of a step for a sentence about the run: "step 14", "ProfilerStep#3"; "step 2 of the
    /// recording" if the number is not that of the run.
    std::string nameInRun(std::size_t step) const;
    /// Returns "in step 14" for an event, by `nameInRun`, or "outside the steps" in the remainder; empty if
    /// steps are unknown.
    std::string placeText(std::int64_t event) const;
    /// Says what `keptUntil` means: "in use at the end of step 4", or "… of the recording".
    std::string keptUntilText(std::size_t step) const;
    /// Returns the number of counted steps, complete or not. O(steps).
    std::size_t count() const;
    /// Returns the number of counted and complete steps. O(steps).
    std::size_t completeCount() const;
    /// Returns "8 steps", "8 steps; the last is incomplete" or the like; "no steps" if none were found.
    /// O(steps).
    std::string countText() const;
    /// Returns `reason`, and how sure it is unless it is certain: "from optimizer frames in the stacks
    /// (likely)".
    std::string reasonText() const;
    /// Returns "8 steps, from the ProfilerStep annotations; the last is incomplete". O(steps).
    std::string foundText() const;
};

/// Returns the phases as they are drawn: one that contains a whole step and more is divided where steps begin
/// and end, since the forward of the next step is another one. Neighbours may have the same phase.
/// O(ranges × log steps + steps).
std::vector<PhaseRange> phasesWithinSteps(const PhaseTable& phases, const StepTable& steps);

} // namespace highwater
