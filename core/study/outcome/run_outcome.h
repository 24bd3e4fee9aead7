#pragma once

#include <optional>
#include <string>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/diff_findings.h"
#include "core/analysis/diff/matching/step_alignment.h"

namespace highwater {

/// The end of one run's recording.
struct RunEnd
{
    Bytes peakBytes = 0;
    /// The last out-of-memory event, if neither its step nor a later one is complete, so that it ended the
    /// run; else nullopt, also for an event outside all steps.
    std::optional<std::int64_t> failedAt;
    Bytes bytesAtFailure = 0; ///< bytes alive at that event
    std::string failedIn; ///< "in step 14", or "outside the steps"; empty if steps are unknown
    std::size_t completeSteps = 0; ///< number of counted and complete steps; 0 if steps are unknown
    /// The median growth per step (`growthPerStep`). nullopt if it is unknown, not positive, below 0.5% of
    /// the peak per step, or below a tenth of the peak over the fitted steps.
    std::optional<Bytes> growth;
    bool isGrowthKnown = false; ///< `growthPerStep` has enough steps
};

/// Returns `RunEnd::failedAt`. O(steps).
std::optional<std::int64_t> failureThatEnds(const DeviceStudy& study);

/// Finds how a recording ends. O(events + steps).
RunEnd endOf(const DeviceStudy& study);

/// The least and the largest difference between the peaks of matching steps, after − before.
struct StepDifference
{
    Bytes least = 0;
    Bytes most = 0;
    std::size_t pairs = 0; ///< number of compared pairs
};
/// Compares all complete steps that match, as the table of paired steps lists them; nullopt if there are
/// fewer than two pairs. O(pairs).
std::optional<StepDifference> differenceAtEqualSteps(
    const StepTable& before, const StepTable& after, const AlignedSteps& aligned);

/// The data from which the outcome of a comparison is worded.
struct ComparedEnds
{
    RunEnd before;
    RunEnd after;
    std::optional<StepDifference> atEqualSteps;
};

/// Returns whether the change fixed the run, in sentences: first "Fixed", "Partly fixed", "Not fixed",
/// "Worse" or "Undecided", then the memory that the change saved, the end of each run, and the remaining leak
/// ("Fixed: the later run removed two of three copies of the model (10.62 GiB), and now completes at 23.67
/// GiB. Before, it ran out of memory in step 1 at 30.57 GiB."). Without the first word if steps are unknown.
/// Empty if neither run failed or leaks and no copy of the model is gone, since the figures then suffice.
/// `found` is the comparison of both peaks.
std::string outcomeText(const ComparedEnds& ends, const DiffFindings& found);

} // namespace highwater
