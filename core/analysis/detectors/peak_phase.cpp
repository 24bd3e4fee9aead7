#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "core/analysis/detectors/rules.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Another phase is close to the peak if its own peak is lower by less than 1/kCloseDivisor.
constexpr std::int64_t kCloseDivisor = 100;

/// Returns the highest moment of each phase within a range of events.
std::map<Phase, CurvePeak> peaksOfPhases(const DeviceStudy& study, const EventRange& events)
{
    std::map<Phase, CurvePeak> peaks;
    for (const PhaseRange& range : study.phases.ranges()) {
        const std::int64_t first = std::max(range.begin, events.first);
        const std::int64_t last = std::min(range.end, events.last);
        if (first >= last)
            continue;
        const CurvePeak peak = study.curve.peak(first, last);
        CurvePeak& highest = peaks[range.phase];
        if (highest.event < 0 || peak.bytes > highest.bytes)
            highest = peak;
    }
    return peaks;
}

/// Returns how many steps peak in this phase: "as do all 6 steps", "as do 4 of 6 steps". If fewer than half
/// do, returns how many peak in the most frequent phase: "unlike 5 of 6 steps, which peak in backward". Empty
/// if that phase is unknown and only one step peaks in this one, which is the step of the run's peak.
std::string stepsText(const StepTable& table, Phase phase)
{
    std::map<Phase, std::size_t> stepsOfPhase;
    for (const Step& step : table.steps)
        stepsOfPhase[step.peakPhase] += step.isCounted() ? 1 : 0;
    const auto mostFrequent
        = std::ranges::max_element(stepsOfPhase, {}, [](const auto& entry) { return entry.second; });
    const std::size_t stepCount = table.count();
    if (stepsOfPhase[phase] == stepCount)
        return fmt::format("as do all {} steps", formatCount(stepCount));
    if (stepsOfPhase[phase] * 2 >= stepCount || mostFrequent->first == Phase::Unknown)
        return stepsOfPhase[phase] < 2
            ? std::string()
            : fmt::format("as do {} of {} steps", formatCount(stepsOfPhase[phase]), formatCount(stepCount));
    return fmt::format("unlike {} of {} steps, which peak in {}", formatCount(mostFrequent->second),
        formatCount(stepCount), toText(mostFrequent->first));
}

std::string titleOfPhase(const DeviceStudy& study, Phase phase)
{
    const std::string peak = fmt::format("The run peaks in {}", toText(phase));
    const std::string steps = study.steps.count() < 2 ? std::string() : stepsText(study.steps, phase);
    return steps.empty() ? peak : peak + ", " + steps;
}

/// Returns "; it has events in 1 of 15 steps" for a phase that some steps do not show: a phase without events
/// has no range, so its memory in other steps is not part of the maximum. Empty if all steps show it.
std::string recordedStepsText(const DeviceStudy& study, Phase phase)
{
    if (phase == Phase::Unknown || study.steps.source == StepSource::Whole)
        return {};
    std::set<std::size_t> recorded;
    for (const PhaseRange& range : study.phases.ranges()) {
        const std::optional<std::size_t> last = study.steps.stepOf(range.end - 1);
        for (std::optional<std::size_t> step = study.steps.stepOf(range.begin);
             range.phase == phase && step && last && *step <= *last; ++*step)
            if (study.steps.steps[*step].isCounted())
                recorded.insert(*step);
    }
    const std::size_t all = study.steps.count();
    return recorded.size() == all
        ? std::string()
        : fmt::format("; it has events in {} of {} steps", formatCount(recorded.size()), formatCount(all));
}

std::string nameOfPhase(Phase phase)
{
    return phase == Phase::Unknown ? "memory outside the marked phases" : std::string(toText(phase));
}

/// Returns the phase with the next highest peak, or nullopt if there is no other.
std::optional<std::pair<Phase, Bytes>> nextHighest(const std::map<Phase, CurvePeak>& peaks, Phase highest)
{
    std::optional<std::pair<Phase, Bytes>> next;
    for (const auto& [phase, peak] : peaks)
        if (phase != highest && peak.event >= 0 && (!next || peak.bytes > next->second))
            next = {phase, peak.bytes};
    return next;
}

} // namespace

std::vector<Finding> findPeakPhase(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const std::int64_t event = input.figures.peakEvent;
    const Phase phase = study.phases.at(event);
    if (event < 0 || phase == Phase::Unknown)
        return {};
    const std::map<Phase, CurvePeak> peaks = peaksOfPhases(study, {0, study.curve.eventCount()});
    Finding finding = findingAt(input, event, "peak-phase", study.phases.gradeAt(event), FindingKind::Fact);
    finding.bytes = input.figures.peakBytes;
    finding.title = titleOfPhase(study, phase);
    for (const auto& [other, peak] : peaks)
        finding.addEvidence(EventTarget{peak.event}, "{} peaks at {}{}", upperFirst(nameOfPhase(other)),
            formatBytes(peak.bytes), recordedStepsText(study, other));
    if (const auto next = nextHighest(peaks, phase)) {
        const Bytes gap = finding.bytes - next->second;
        const bool isClose = gap * kCloseDivisor < finding.bytes;
        if (isClose && next->first == Phase::Unknown)
            return {};
        if (isClose)
            finding.title += formatBytes(next->second) == formatBytes(finding.bytes)
                ? fmt::format("; {} peaks as high", nameOfPhase(next->first))
                : fmt::format("; {} peaks {} lower", nameOfPhase(next->first), formatBytes(gap));
    }
    return {std::move(finding)};
}

} // namespace highwater
