#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/detectors/rules.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// The first step of the trace, from its forward to its optimizer phase.
struct FirstStep
{
    std::int64_t begin = 0; ///< first event of its forward
    PhaseRange optimizer;
};

/// Returns the first step with an optimizer phase. nullopt if there is none, or if another backward follows,
/// since the recording then already shows the steady peak.
std::optional<FirstStep> onlyStepOf(const DeviceStudy& study)
{
    std::optional<FirstStep> first;
    std::int64_t begin = -1;
    for (const PhaseRange& range : study.phases.ranges()) {
        if (runsForwardOfModel(range.phase) && begin < 0)
            begin = range.begin;
        if (range.phase == Phase::Optimizer && begin >= 0 && !first)
            first = FirstStep{begin, range};
        else if (range.phase == Phase::Backward && first)
            return std::nullopt;
    }
    return first;
}

/// True if memory ran out in the optimizer phase, before the optimizer had made all of its state.
bool ranOutOfMemoryIn(const DetectorInput& input, const PhaseRange& optimizer)
{
    return std::ranges::any_of(input.figures.ooms,
        [&](const auto& oom) { return oom.event >= optimizer.begin && oom.event <= optimizer.end; });
}

Bytes categoryAt(const DeviceStudy& study, Category category, std::int64_t event)
{
    return categoriesAt(study.allocations, study.categories, {event})
        .front()[static_cast<std::size_t>(category)];
}

} // namespace

std::vector<Finding> findSteadyForecast(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const auto step = onlyStepOf(study);
    if (!step || ranOutOfMemoryIn(input, step->optimizer))
        return {};
    const std::int64_t end = step->optimizer.end - 1;
    const Bytes stateBytes = categoryAt(study, Category::OptimizerState, end)
        - categoryAt(study, Category::OptimizerState, step->begin - 1);
    if (stateBytes <= 0 || study.curve.eventCount() == 0)
        return {};
    const std::int64_t last = study.curve.eventCount() - 1;
    const Bytes gradientBytes = categoryAt(study, Category::Gradient, last)
        - categoryAt(study, Category::Gradient, step->begin - 1);
    const CurvePeak peakBefore = study.curve.peak(step->begin, step->optimizer.begin);
    const Bytes forecast = peakBefore.bytes + stateBytes;
    if (forecast <= input.figures.peakBytes)
        return {};
    Finding finding = findingAt(input, peakBefore.event, "steady-peak-forecast", Grade::B, FindingKind::Fact);
    finding.bytes = forecast;
    finding.title = fmt::format(
        "Later steps will peak near {}, {} above the {} seen: only the first optimizer step is recorded",
        formatBytes(forecast), formatBytes(forecast - input.figures.peakBytes),
        formatBytes(input.figures.peakBytes));
    finding.addEvidence(EventTarget{peakBefore.event}, "{} is the peak of {} before any optimizer state",
        formatBytes(peakBefore.bytes), toText(study.phases.at(peakBefore.event)));
    finding.addEvidence(EventTarget{end},
        "{} is added by the state that the first optimizer step creates and keeps", formatBytes(stateBytes));
    if (gradientBytes > 0)
        finding.addEvidence(EventTarget{last},
            "{} more is added if zero_grad() comes after the next forward: gradients in use at the end",
            formatBytes(gradientBytes));
    finding.remedy.action = "Plan with this figure, or record a second step";
    finding.wouldDisprove = "Wrong if a recording of more steps has a lower peak";
    return {std::move(finding)};
}

} // namespace highwater
