#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/allocator/recorded_settings.h"
#include "core/analysis/allocator/script_reader.h"
#include "core/analysis/allocator/settings_advice.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/run/setting_value.h"

namespace highwater {

namespace {

constexpr std::size_t kOtherAdviceNamed = 2;
/// The device is nearly full if the reserved peak reaches this share of its capacity.
constexpr double kTightShare = 0.9;
/// If the device is not nearly full, a saving below 1/kSavingDivisor of the reserved peak is not worth a
/// change.
constexpr std::int64_t kSavingDivisor = 10;

/// Returns the size of the largest failed request that fits with the advice.
Bytes fittingBytes(const SettingsAdvice& advice)
{
    Bytes bytes = 0;
    for (const FailureOutcome& failure : advice.result.failures)
        if (failure.fits)
            bytes = std::max(bytes, failure.requestedBytes);
    return bytes;
}

bool isTight(const DetectorInput& input, Bytes reservedPeak)
{
    return input.capacity
        && static_cast<double>(reservedPeak) >= kTightShare * static_cast<double>(input.capacity->bytes);
}

/// True if the advice would have made a difference to the run: a request fits, or the device was nearly full.
bool isDecisive(const DetectorInput& input, const SettingsStudy& trials)
{
    return trials.advice.front().fittingFailures > 0 || isTight(input, trials.recorded.reservedPeak);
}

/// Describes the effect of a setting in the replay: "With max_split_size_mb:64, the failed request fits",
/// "Without max_split_size_mb, reserved memory falls from 31 GiB to 22.41 GiB".
std::string effectOf(const DetectorInput& input, const SettingsStudy& trials, const SettingsAdvice& advice)
{
    const std::string& change = advice.change;
    const std::string condition = change.starts_with("without ") ? "W" + change.substr(1) : "With " + change;
    if (advice.fittingFailures == 0)
        return fmt::format("{}, {}reserved memory falls from {} to {}", condition,
            input.figures.ooms.empty() ? "" : "the failed request still does not fit; ",
            formatBytes(trials.recorded.reservedPeak), formatBytes(advice.result.reservedPeak));
    return advice.fittingFailures == 1
        ? condition + ", the failed request fits"
        : fmt::format("{}, {} failed requests fit", condition, formatCount(advice.fittingFailures));
}

void addSettingsEvidence(const DetectorInput& input, const SettingsStudy& trials,
    const SettingsAdvice& bestAdvice, Finding& finding)
{
    const WhatIfResult& recorded = trials.recorded;
    finding.addEvidence(EventTarget{recorded.reservedPeakEvent},
        "When most was reserved, {} of it was free; with the change, it would be {}",
        formatBytes(recorded.freeAtPeak()), formatBytes(bestAdvice.result.freeAtPeak()));
    if (bestAdvice.result.allocatedPeak != recorded.allocatedPeak)
        finding.addEvidence(EventTarget{bestAdvice.result.allocatedPeakEvent},
            "Blocks occupy at most {} as recorded and {} with the change",
            formatBytes(recorded.allocatedPeak), formatBytes(bestAdvice.result.allocatedPeak));
    if (const Bytes reservedBefore = input.study->curve.reservedAt(-1).value_or(0); reservedBefore > 0)
        finding.addEvidence(EventTarget{-1},
            "{} was reserved before the first event and stays as it was in the replay",
            formatBytes(reservedBefore));
    if (!trials.fidelity.isExact())
        finding.addEvidence({}, "The replay with the recorded settings {}", sentenceOf(trials.fidelity));
    for (std::size_t i = 1; i < trials.advice.size() && i <= kOtherAdviceNamed; ++i)
        finding.addEvidence(
            {}, "Another change, tried alone: {}", lowerFirst(effectOf(input, trials, trials.advice[i])));
}

Finding findingOfAdvice(const DetectorInput& input, const SettingsStudy& trials)
{
    const SettingsAdvice& bestAdvice = trials.advice.front();
    const bool isExact = trials.fidelity.exact == trials.fidelity.compared;
    const bool isUseless = bestAdvice.fittingFailures == 0 && !input.figures.ooms.empty();
    Finding finding = findingOf(input, "settings-advice", isExact ? Grade::B : Grade::C,
        isDecisive(input, trials) && !isUseless ? FindingKind::Fault : FindingKind::Fact);
    placeAt(finding, input,
        bestAdvice.fittingFailures > 0 ? bestAdvice.result.failures.back().event
                                       : trials.recorded.reservedPeakEvent);
    finding.bytes = bestAdvice.fittingFailures > 0 ? fittingBytes(bestAdvice) : bestAdvice.savedBytes;
    finding.title = effectOf(input, trials, bestAdvice);
    if (!isExact)
        finding.title += "?";
    addSettingsEvidence(input, trials, bestAdvice, finding);
    finding.wouldDisprove
        = "Wrong if a run with the setting reserves as much: other releases place blocks differently";
    if (isUseless)
        return finding;
    finding.remedy = {settingAction(bestAdvice), finding.bytes};
    if (finding.remedy.action.find(bestAdvice.configuration) == std::string::npos)
        finding.addEvidence({}, "The whole setting is then {}", sanitizedText(bestAdvice.configuration));
    finding.remedy.setting = bestAdvice.change;
    return finding;
}

bool isAllocatorVariable(std::string_view name)
{
    return name.starts_with("PYTORCH_") && name.ends_with("ALLOC_CONF");
}

/// Returns the options of a text that would change the allocator's effective settings. Options whose
/// effective value is not recorded are skipped.
std::vector<std::string> ineffectiveOptions(
    const std::string& text, const AllocatorSettings& effective, const TraceMetadata& metadata)
{
    std::vector<std::string> options;
    for (const std::string& option : splitOptions(text)) {
        const std::size_t colon = std::min(option.find(':'), option.size());
        const std::string value = colon < option.size() ? option.substr(colon + 1) : std::string();
        const std::string name = option.substr(0, colon);
        const Result<AllocatorSettings> changed = withSetting(effective, name, value);
        if (changed ? *changed != effective : isReadOtherwise(metadata, name, value))
            options.push_back(option);
    }
    return options;
}

Finding findingOfOptions(const DetectorInput& input, const std::vector<std::string>& options)
{
    Finding finding = findingOf(input, "settings-not-effective", Grade::A, FindingKind::Fact);
    finding.bytes = input.study->curve.reservedPeak();
    std::string names;
    for (const std::string& option : options)
        names += (names.empty() ? "" : ", ") + quotedText(option);
    finding.title = fmt::format(
        "The allocator ran without {}, which {} set", names, options.size() == 1 ? "is" : "are");
    finding.remedy.action
        = "Set it before Python starts, under the name this release reads (PYTORCH_CUDA_ALLOC_CONF, in newer "
          "ones PYTORCH_ALLOC_CONF), and check the settings in the next snapshot";
    finding.wouldDisprove = "Wrong if another snapshot of the process shows the setting";
    return finding;
}

/// True if a replay could find something to report. False, which spares the replays of the whole run, if no
/// request failed, nearly all memory reserved at the peak is live, and the device was not nearly full.
bool mayHelp(const DetectorInput& input)
{
    const auto reserved = static_cast<double>(input.study->curve.reservedPeak());
    // Lowest reserved peak of a trusted replay
    const double leastReserved = reserved * (1 - ReplayFidelity::kTrusted);
    const bool isSmall
        = static_cast<double>(savingUpperBound(input.study->curve)) < leastReserved / kSavingDivisor;
    return !input.figures.ooms.empty() || !isSmall
        || isTight(input, static_cast<Bytes>(reserved * (1 + ReplayFidelity::kTrusted)) + 1);
}

Result<AllocationScript> scriptOf(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    const LiveIndex live(study.allocations);
    const SegmentHistory history(study.trace, study.allocations, live);
    return allocationScript(
        history, study.curve, knownCapacity(study.about(), input.figures.ooms, study.curve));
}

} // namespace

std::vector<Finding> findSettingsAdvice(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (study.allocations.quantity() != Quantity::Requested || study.curve.eventCount() == 0
        || !mayHelp(input))
        return {};
    const Result<AllocationScript> script = scriptOf(input); // the segment history is released again
    if (!script)
        return {};
    const SettingsStudy trials = lastingAdvice(*script, study.curve, study.steps);
    if (trials.advice.empty())
        return {};
    Finding finding = findingOfAdvice(input, trials);
    const bool isSmall = finding.bytes < trials.recorded.reservedPeak / kSavingDivisor;
    if (!isWorthReporting(input, finding.bytes) || (isSmall && !isDecisive(input, trials)))
        return {};
    return {std::move(finding)};
}

std::vector<Finding> findIneffectiveSettings(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    // Without this entry, the PyTorch release does not record its parsed settings, so the effective ones are
    // unknown.
    if (!study.trace.metadata.setting("expandable_segments"))
        return {};
    const RecordedSettings recorded = recordedSettings(study.trace, study.device);
    std::vector<Finding> findings;
    if (!recorded.contradicted.empty()) {
        findings.push_back(findingOfOptions(input, recorded.contradicted));
        findings.back().addEvidence({}, "The snapshot's settings string is {}", quotedText(recorded.text));
    }
    for (std::size_t i = 0; i < input.auxiliaryFiles.size(); ++i)
        for (const ConfigurationEntry& entry : input.auxiliaryFiles[i].trace->metadata.configuration) {
            const std::vector<std::string> options = isAllocatorVariable(entry.name)
                ? ineffectiveOptions(entry.value, recorded.settings, study.trace.metadata)
                : std::vector<std::string>();
            if (options.empty() || !findings.empty())
                continue;
            findings.push_back(findingOfOptions(input, options));
            findings.back().addEvidence(LogLineTarget{i, entry.line}, "The log sets {} to {}",
                quotedText(entry.name), quotedText(entry.value));
            const std::string effective = configurationText(recorded.settings);
            findings.back().addEvidence({}, "The snapshot's settings are {}",
                effective.empty() ? "the allocator's defaults" : effective);
        }
    return findings;
}

} // namespace highwater
