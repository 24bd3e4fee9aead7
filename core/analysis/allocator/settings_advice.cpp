#include "core/analysis/allocator/settings_advice.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/stacks/call_site.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Begins the text of a change that removes an option.
constexpr std::string_view kWithout = "without ";

constexpr Bytes kTriedSplitSizes[] = {64 * kMiB, 128 * kMiB, 256 * kMiB, 512 * kMiB};
constexpr std::int64_t kTriedDivisions[] = {4, 8, 16};
constexpr double kLeastSaving = 0.02;

/// Returns the settings to try, each different from the recorded ones in one option.
std::vector<AllocatorSettings> candidates(const AllocationScript& script)
{
    const AllocatorSettings& recorded = script.settings;
    std::vector<AllocatorSettings> candidatesToTry;
    const auto add = [&](const AllocatorSettings& settings) {
        if (settings != recorded)
            candidatesToTry.push_back(settings);
    };
    AllocatorSettings candidate = recorded;
    candidate.expandableSegments = !recorded.expandableSegments;
    if (!candidate.expandableSegments || !hasWindowsPaths(*script.trace)) // Windows does not have them
        add(candidate);
    candidate = recorded;
    candidate.maxSplitSize = AllocatorSettings::kUnlimited;
    add(candidate);
    for (const Bytes size : kTriedSplitSizes) {
        candidate.maxSplitSize = size;
        add(candidate);
    }
    candidate = recorded;
    candidate.rounding = {};
    add(candidate);
    for (const std::int64_t divisions : kTriedDivisions) {
        candidate.rounding.divisions.fill(divisions);
        add(candidate);
    }
    return candidatesToTry;
}

bool savesEnough(const SettingsAdvice& advice, const WhatIfResult& recorded)
{
    return static_cast<double>(advice.savedBytes) > kLeastSaving * static_cast<double>(recorded.reservedPeak);
}

/// True if the replay shows that the settings help and that no other request fails.
bool isProven(const SettingsAdvice& advice, const WhatIfResult& recorded)
{
    if (advice.result.newFailures > 0)
        return false;
    return advice.fittingFailures > 0 || savesEnough(advice, recorded);
}

/// Returns the reserved bytes above which settings cannot be proven to help: a replay that exceeds them is
/// stopped.
Bytes mostReserved(const AllocationScript& script, const SettingsStudy& study)
{
    if (study.fidelity.failuresRepeat && !script.failures.empty())
        return std::numeric_limits<Bytes>::max();
    const Bytes peak = study.recorded.reservedPeak;
    return peak - static_cast<Bytes>(kLeastSaving * static_cast<double>(peak));
}

/// True if the step after the one that contains the event is recorded as a whole.
bool hasWholeStepAfter(const StepTable& steps, std::int64_t event)
{
    const std::optional<std::size_t> step
        = steps.source == StepSource::Whole ? std::nullopt : steps.stepOf(event);
    return step && *step + 1 < steps.steps.size() && steps.steps[*step + 1].isCounted()
        && steps.steps[*step + 1].isComplete;
}

/// Returns the largest rise of the total after earlier requests of the same stack, each scaled to the size of
/// the failed request. Returns nothing if there were no such requests.
std::optional<Bytes> riseAfter(const AllocationScript& script, const UsageCurve& curve,
    const StepTable& steps, const FailureOutcome& failed)
{
    const AllocationTable& allocations = *script.allocations;
    const StackId stack = script.trace->events.stack[script.trace->row(allocations.device(), failed.event)];
    if (!script.trace->stacks.hasFrames(stack))
        return std::nullopt;
    std::vector<AllocationIndex> similar;
    for (auto i = static_cast<AllocationIndex>(allocations.olderCount()); i < allocations.size(); ++i)
        if (allocations.birth(i) < failed.event && allocations.stack(i) == stack && allocations.bytes(i) > 0)
            similar.push_back(i);
    std::optional<Bytes> largestRise;
    for (std::size_t k = 0; k < similar.size(); ++k) {
        const std::int64_t birth = allocations.birth(similar[k]);
        const std::optional<std::size_t> step
            = steps.source == StepSource::Whole ? std::nullopt : steps.stepOf(birth);
        const std::int64_t next = k + 1 < similar.size() ? allocations.birth(similar[k + 1]) : failed.event;
        const std::int64_t end = std::min(failed.event, step ? steps.steps[*step].end : next);
        const double rise
            = static_cast<double>(curve.peak(birth, std::max(end, birth + 1)).bytes - curve.at(birth));
        const double scale
            = static_cast<double>(failed.requestedBytes) / static_cast<double>(allocations.bytes(similar[k]));
        largestRise = std::max(largestRise.value_or(0), static_cast<Bytes>(rise * scale));
    }
    return largestRise;
}

void sortBestFirst(std::vector<SettingsAdvice>& advice)
{
    std::ranges::stable_sort(advice, [](const SettingsAdvice& a, const SettingsAdvice& b) {
        return std::tie(a.fittingFailures, a.savedBytes) > std::tie(b.fittingFailures, b.savedBytes);
    });
}

} // namespace

std::string changeText(const AllocatorSettings& oldSettings, const AllocatorSettings& newSettings)
{
    const std::vector<std::string> oldOptions = splitOptions(configurationText(oldSettings));
    const std::vector<std::string> newOptions = splitOptions(configurationText(newSettings));
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ",") + part; };
    for (const std::string& entry : newOptions)
        if (std::ranges::find(oldOptions, entry) == oldOptions.end())
            add(entry);
    for (const std::string& entry : oldOptions) {
        const std::string name = entry.substr(0, entry.find(':') + 1);
        if (std::ranges::none_of(
                newOptions, [&](const std::string& option) { return option.starts_with(name); }))
            add(std::string(kWithout) + name.substr(0, name.size() - 1));
    }
    return text;
}

SettingsStudy recordedReplay(const AllocationScript& script)
{
    SettingsStudy study;
    study.recorded = replay(script, {script.settings, {}});
    study.fidelity = compareWithRecording(script, study.recorded);
    return study;
}

SettingsStudy settingsAdvice(const AllocationScript& script)
{
    SettingsStudy study = recordedReplay(script);
    if (!study.fidelity.isTrusted())
        return study;
    const Bytes reservedBound = mostReserved(script, study);
    for (const AllocatorSettings& settings : candidates(script)) {
        study.tried.push_back(changeText(script.settings, settings));
        std::optional<WhatIfResult> result = replayUnlessWorse(script, {settings, {}}, reservedBound);
        if (!result)
            continue;
        SettingsAdvice advice{settings, configurationText(settings, script.recorded), study.tried.back(), 0,
            0, std::move(*result)};
        advice.savedBytes = study.recorded.reservedPeak - advice.result.reservedPeak;
        if (study.fidelity.failuresRepeat)
            advice.fittingFailures = advice.result.fittingFailures();
        if (!isProven(advice, study.recorded))
            continue;
        std::string missing = reasonNotToTrust(script, {settings, {}}, advice.result);
        if (missing.empty())
            study.advice.push_back(std::move(advice));
        else
            study.doubt = std::move(missing);
    }
    sortBestFirst(study.advice);
    return study;
}

SettingsStudy lastingAdvice(const AllocationScript& script, const UsageCurve& curve, const StepTable& steps)
{
    SettingsStudy study = settingsAdvice(script);
    for (SettingsAdvice& advice : study.advice) {
        for (FailureOutcome& failed : advice.result.failures) {
            const std::optional<Bytes> rise
                = failed.fits ? riseAfter(script, curve, steps, failed) : std::nullopt;
            failed.fits = failed.fits
                && (hasWholeStepAfter(steps, failed.event) || (rise && failed.spareBytes >= *rise));
        }
        advice.fittingFailures = std::min(advice.fittingFailures, advice.result.fittingFailures());
    }
    std::erase_if(study.advice, [&](const SettingsAdvice& advice) {
        return advice.fittingFailures == 0 && !savesEnough(advice, study.recorded);
    });
    sortBestFirst(study.advice);
    return study;
}

Bytes savingUpperBound(const UsageCurve& requested)
{
    const double replayed = (1 + ReplayFidelity::kTrusted) * static_cast<double>(requested.reservedPeak());
    return static_cast<Bytes>(replayed) + 1 - requested.peak().bytes;
}

std::string settingAction(const SettingsAdvice& advice)
{
    const std::string value = advice.configuration.empty() ? "\"\"" : sanitizedText(advice.configuration);
    const std::string variable
        = fmt::format("PYTORCH_CUDA_ALLOC_CONF={} (PYTORCH_ALLOC_CONF in newer releases)", value);
    if (advice.change.starts_with(kWithout))
        return fmt::format("Remove {} from PYTORCH_CUDA_ALLOC_CONF", advice.change.substr(kWithout.size()));
    const bool onlyAdds
        = advice.change != advice.configuration && advice.change.find(kWithout) == std::string::npos;
    return onlyAdds ? fmt::format("Add {} to PYTORCH_CUDA_ALLOC_CONF", advice.change) : "Set " + variable;
}

std::string reasonForNoAdvice(const SettingsStudy& study)
{
    if (!study.advice.empty())
        return {};
    if (!study.doubt.empty())
        return "no advice: " + study.doubt;
    const bool isPeakAtStart = study.recorded.reservedPeakEvent < 0 && study.recorded.failures.empty();
    if (study.fidelity.isTrusted() && isPeakAtStart)
        return "no advice: the peak was reserved before the first event; record from the start of the "
               "program";
    if (study.fidelity.isTrusted())
        return fmt::format("none of {} allocator settings helps; tried: {}", study.tried.size(),
            fmt::join(study.tried, ", "));
    if (study.fidelity.newFailures > 0)
        return "no advice: the replay with the recorded settings runs out of memory where the run did not";
    return fmt::format("no advice: the replay with the recorded settings is off by {}%, more than 2%",
        withoutZeros(fmt::format("{:.1f}", study.fidelity.share * 100)));
}

} // namespace highwater
