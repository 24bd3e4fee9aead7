#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/diff/matching/step_alignment.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater {

struct DeviceStudy;

/// The way in which the events of two runs are placed on a common axis.
enum class RunAxis : std::uint8_t
{
    Step, ///< matching steps begin and end at the same place
    EqualStep, ///< as Step, but all steps have the same width, even one that failed early
    Phase, ///< as Step; in steps whose phases have the same sequence, matching phases begin and end together
    Time, ///< time since each run's first event
    Event, ///< event number
};

/// Returns "step", "equal", "phase", "time" or "event".
std::string_view toText(RunAxis axis);
std::optional<RunAxis> runAxisFromText(std::string_view text);

/// One of the runs to align. Refers to the data of its run (see `RunAlignment` for how long).
struct AlignmentInput
{
    const Trace& trace;
    DeviceIndex device;
    const StepTable& steps;
    const PhaseTable& phases;

    std::int64_t eventCount() const { return trace.eventCount(device); }
};

/// Makes an input that refers to a device's study.
AlignmentInput alignmentInput(const DeviceStudy& study);

/// A position at which a step begins.
struct AxisMark
{
    double position = 0;
    /// "step 3", or "step 3 ↔ step 5" if the names of a pair differ; empty if `alignTwoSteps` made it.
    std::string label;
    std::size_t pair = 0; ///< index in AlignedSteps::pairs
};

/// Two runs on one axis: each run has a scale, and a position means the same in both. On the axes Time and
/// Event, the scales refer to the traces of the runs, which must outlive this object. Steps and phases need
/// only live until it is made.
struct RunAlignment
{
    RunAxis axis; ///< the axis in use, which is not the requested one if the runs lack its data
    EventScale before;
    EventScale after;
    std::vector<AxisMark> marks; ///< ascending; empty unless the axis consists of steps
    /// The position at which the longer of two steps ends; nullopt unless `alignTwoSteps` made this. The
    /// axis then shows only [0, twoStepsEnd).
    std::optional<double> twoStepsEnd = {};

    double begin() const { return twoStepsEnd ? 0 : std::min(before.begin(), after.begin()); }
    double end() const { return twoStepsEnd.value_or(std::max(before.end(), after.end())); }
    /// Returns the event of the run after at the position of an event of the run before; −1 before its first
    /// event.
    std::int64_t afterEventFor(std::int64_t beforeEvent) const;
    /// Returns the event of the run before at the position of an event of the run after; −1 before its first
    /// event.
    std::int64_t beforeEventFor(std::int64_t afterEvent) const;
};

/// Aligns two runs. `steps` are the paired steps of these runs. On the axes Step and Phase, a step or phase
/// is as wide as the number of its events in the run where it has more, so that neither run is compressed.
/// If the runs lack the data for `axis`, the axis is Event. The step axes are O(steps), and Phase O(phases +
/// steps × log phases). Event is O(1). Time is O(1) if times are in order, else O(events).
RunAlignment alignRuns(
    const AlignmentInput& before, const AlignmentInput& after, const AlignedSteps& steps, RunAxis axis);

/// Aligns a step of one run with a step of another, or of the same, so that both begin at 0. Events before a
/// step have negative positions; events after it begin where the longer step ends. O(1).
RunAlignment alignTwoSteps(
    const AlignmentInput& before, const Step& beforeStep, const AlignmentInput& after, const Step& afterStep);

/// Returns the axes for which these runs have the data; Event is always among them.
std::vector<RunAxis> usableAxes(const AlignmentInput& before, const AlignmentInput& after);

} // namespace highwater
