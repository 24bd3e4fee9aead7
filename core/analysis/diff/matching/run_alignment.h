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

/// What puts the events of two runs beside each other.
enum class RunAxis : std::uint8_t
{
    Step, ///< steps that belong together begin and end at one place
    Phase, ///< as Step; and in steps that run through the same phases so does each phase
    Time, ///< time since each run's first event
    Event, ///< number of the event
};

/// "step", "phase", "time", "event".
std::string_view toText(RunAxis axis);
std::optional<RunAxis> runAxisFromText(std::string_view text);

/// One run that is aligned; its trace must outlive the alignment.
struct AlignmentInput
{
    const Trace& trace;
    DeviceIndex device;
    const StepTable& steps;
    const PhaseTable& phases;

    std::int64_t eventCount() const { return trace.eventCount(device); }
};

/// Of what is known of a device; it must outlive the alignment, too.
AlignmentInput alignmentInput(const DeviceStudy& study);

/// A place at which a step begins.
struct AxisMark
{
    double position = 0;
    std::string label; ///< "step 3", "step 3 ↔ step 5" where the names differ, "step 3 ↔ –"
    std::size_t pair = 0; ///< in AlignedSteps::pairs
};

/// Two runs on one axis: each has a scale, and places mean the same in both. By Time it refers to the traces.
struct RunAlignment
{
    RunAxis axis; ///< the one asked for, or Event where the runs do not have what it needs
    EventScale before;
    EventScale after;
    std::vector<AxisMark> marks; ///< ascending; of Step and Phase, else empty

    double begin() const { return std::min(before.begin(), after.begin()); }
    double end() const { return std::max(before.end(), after.end()); }
    /// The event of the run after whose state stands beside that of an event of the run before.
    std::int64_t afterEventFor(std::int64_t beforeEvent) const;
    /// And the other way round.
    std::int64_t beforeEventFor(std::int64_t afterEvent) const;
};

/// By Step and Phase a place is an event of that run that has more of them in the step or phase, so that no
/// run is squeezed. O(steps + phases); by Time O(events) where times are not in order.
RunAlignment alignRuns(
    const AlignmentInput& before, const AlignmentInput& after, const AlignedSteps& steps, RunAxis axis);

/// Which of the axes differ from Event for these runs.
std::vector<RunAxis> usableAxes(const AlignmentInput& before, const AlignmentInput& after);

} // namespace highwater
