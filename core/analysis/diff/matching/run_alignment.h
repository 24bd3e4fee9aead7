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
    EqualStep, ///< as Step, but every step gets the same width, even a short one that failed
    Phase, ///< as Step, and matching phases too, in steps with the same sequence of phases
    Time, ///< time since each run's first event
    Event, ///< event number
};

/// Returns "step", "equal", "phase", "time" or "event".
std::string_view toText(RunAxis axis);
std::optional<RunAxis> runAxisFromText(std::string_view text);

/// One of the runs to align; its trace must outlive the alignment.
struct AlignmentInput
{
    const Trace& trace;
    DeviceIndex device;
    const StepTable& steps;
    const PhaseTable& phases;

    std::int64_t eventCount() const { return trace.eventCount(device); }
};

/// Makes the input from a device's study, which must outlive the alignment as well.
AlignmentInput alignmentInput(const DeviceStudy& study);

/// A position at which a step begins.
struct AxisMark
{
    double position = 0;
    std::string label; ///< "step 3", or "step 3 ↔ step 5" if the names differ
    std::size_t pair = 0; ///< index in AlignedSteps::pairs
};

/// Two runs on one axis: each run has a scale, and a position means the same in both. The scales of the axes
/// Time and Event refer to the traces, which must then outlive this object.
struct RunAlignment
{
    RunAxis axis; ///< the requested axis, or Event if the runs lack the data for it
    EventScale before;
    EventScale after;
    std::vector<AxisMark> marks; ///< ascending; empty unless the axis consists of steps
    /// For two steps: the longer one begins at 0 and ends here, and only this part is shown.
    std::optional<double> twoStepsEnd = {};

    double begin() const { return twoStepsEnd ? 0 : std::min(before.begin(), after.begin()); }
    double end() const { return twoStepsEnd.value_or(std::max(before.end(), after.end())); }
    /// Returns the event of the run after at the same position as an event of the run before.
    std::int64_t afterEventFor(std::int64_t beforeEvent) const;
    /// The inverse of `afterEventFor`.
    std::int64_t beforeEventFor(std::int64_t afterEvent) const;
};

/// True if positions on the axis are those of matching steps.
inline bool isStepAxis(RunAxis axis)
{
    return axis == RunAxis::Step || axis == RunAxis::EqualStep || axis == RunAxis::Phase;
}

/// Aligns two runs. By Step and Phase, one unit of the axis is one event of the run that has more events in
/// that step or phase. No run is compressed that way. If the runs lack the data for `axis`, the axis is
/// Event. O(steps + phases); by Time, O(events) if times are not in order.
RunAlignment alignRuns(
    const AlignmentInput& before, const AlignmentInput& after, const AlignedSteps& steps, RunAxis axis);

/// Aligns a step of one run with a step of another, or of the same, so that both begin at 0. Each run has all
/// its events, but those after a step follow where the longer step ends. O(1).
RunAlignment alignTwoSteps(
    const AlignmentInput& before, const Step& beforeStep, const AlignmentInput& after, const Step& afterStep);

/// Returns the axes for which these runs have the data; Event is always among them.
std::vector<RunAxis> usableAxes(const AlignmentInput& before, const AlignmentInput& after);

} // namespace highwater
