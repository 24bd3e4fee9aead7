#pragma once

#include <optional>
#include <string>

#include "core/analysis/device/device_study.h"
#include "core/analysis/diff/diff_findings.h"
#include "core/analysis/diff/matching/step_alignment.h"

namespace highwater {

/// How the recording of one run ends.
struct RunEnd
{
    Bytes peakBytes = 0;
    /// The last out-of-memory event that the run did not survive: no step is complete after it. None: the run
    /// did not die of it.
    std::optional<std::int64_t> failedAt;
    Bytes bytesAtFailure = 0; ///< live then
    std::string failedStep; ///< its name; empty: steps are not known
    std::size_t wholeSteps = 0; ///< counted and complete; 0 where steps are not known
    /// Median slope of what steps leave behind, where it is a trend: at least 0.5 % of the peak a step and a
    /// tenth of the peak over the steps it was fitted to.
    std::optional<Bytes> growth;
};

/// O(events + steps).
RunEnd endOf(const DeviceStudy& study);

/// What steps that belong together differ by at their peaks, where there are at least two such pairs: whole
/// ones, without the first (`kWarmUpSteps`). Least and most, after − before.
struct StepDifference
{
    Bytes least = 0;
    Bytes most = 0;
};
std::optional<StepDifference> differenceAtEqualSteps(
    const StepTable& before, const StepTable& after, const AlignedSteps& aligned);

/// Everything that the outcome of a comparison is worded from.
struct ComparedEnds
{
    RunEnd before;
    RunEnd after;
    std::optional<StepDifference> atEqualSteps;
};

/// The outcome as one engineer tells it to another: what the change took away, how each run ended, and what
/// is left ("The fix removed two of three copies of the model (10.62 GiB); the run now completes at 23.67
/// GiB. Before, it died in step 1 at 30.57 GiB."). Empty where neither run failed, grows or has lost a copy
/// of the model: the figures say it all. `atPeaks` is the comparison of both peaks.
std::string outcomeText(const ComparedEnds& ends, const DiffFindings& atPeaks);

} // namespace highwater
