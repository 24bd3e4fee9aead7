#include "core/study/outcome/unequal_peaks.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Less than 1/kLeastChangeDivisor of a peak is no change.
constexpr Bytes kLeastChangeDivisor = 100;

bool isCompleteStep(const DeviceStudy& study, const std::optional<std::size_t>& index)
{
    return index && study.steps.steps[*index].isCountedAndComplete();
}

/// True if the run comes as high in this step as at its peak.
bool isAsHigh(const DeviceStudy& study, const std::optional<std::size_t>& index)
{
    const Bytes peak = study.curve.peak().bytes;
    return index && study.steps.steps[*index].peakBytes >= peak - peak / kLeastChangeDivisor;
}

std::optional<std::size_t> stepOfPeak(const DeviceStudy& study)
{
    return study.steps.source == StepSource::Whole ? std::nullopt
                                                   : study.steps.stepOf(study.curve.peak().event);
}

} // namespace

std::string UnequalPeaks::pairText() const
{
    return fmt::format("{} with {}", beforeName, afterName);
}

std::string UnequalPeaks::text() const
{
    const std::string steps = beforeName == afterName
        ? fmt::format("In {}, the last that both runs completed,", afterName)
        : fmt::format("In {} and {}, the last pair that both runs completed,", beforeName, afterName);
    const Bytes change = afterBytes - beforeBytes;
    const ChangeText bytes = formatChange(beforeBytes, afterBytes);
    return fmt::format("{} the later run {}.", steps,
        change == 0 ? "needs as much as the earlier run"
                    : fmt::format("needs {} {}, {} instead of {}", bytes.size, change < 0 ? "less" : "more",
                        bytes.after, bytes.before));
}

std::string UnequalPeaks::peaksText() const
{
    return fmt::format("The rows compare the peaks, of {} and {}.", beforeStep, afterStep);
}

std::optional<UnequalPeaks> unequalPeaks(
    const DeviceStudy& before, const DeviceStudy& after, const AlignedSteps& aligned)
{
    const std::optional<std::size_t> beforePeak = stepOfPeak(before);
    const std::optional<std::size_t> afterPeak = stepOfPeak(after);
    if (!beforePeak || !afterPeak)
        return std::nullopt;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < aligned.pairs.size(); ++i) {
        const StepPair& pair = aligned.pairs[i];
        if ((pair.before == beforePeak && isAsHigh(after, pair.after))
            || (pair.after == afterPeak && isAsHigh(before, pair.before)))
            return std::nullopt;
        if (isCompleteStep(before, pair.before) && isCompleteStep(after, pair.after))
            last = i;
    }
    if (!last)
        return std::nullopt;
    const StepPair& pair = aligned.pairs[*last];
    const std::vector<Step>& beforeSteps = before.steps.steps;
    const std::vector<Step>& afterSteps = after.steps.steps;
    const UnequalPeaks unequal{.beforeStep = before.steps.nameInRun(*beforePeak),
        .afterStep = after.steps.nameInRun(*afterPeak),
        .pair = *last,
        .beforeIndex = *pair.before,
        .afterIndex = *pair.after,
        .beforeName = sanitizedText(beforeSteps[*pair.before].name),
        .afterName = sanitizedText(afterSteps[*pair.after].name),
        .beforeBytes = beforeSteps[*pair.before].peakBytes,
        .afterBytes = afterSteps[*pair.after].peakBytes};
    const Bytes peakBytes = before.curve.peak().bytes;
    const Bytes ofPair = unequal.afterBytes - unequal.beforeBytes;
    const Bytes ofPeaks = after.curve.peak().bytes - peakBytes;
    return std::abs(ofPair - ofPeaks) < peakBytes / kLeastChangeDivisor ? std::nullopt
                                                                        : std::optional(unequal);
}

} // namespace highwater
