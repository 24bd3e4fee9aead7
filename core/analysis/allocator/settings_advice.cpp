#include "core/analysis/allocator/settings_advice.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace highwater {

namespace {

constexpr Bytes kTriedSplitSizes[] = {64 * kMiB, 128 * kMiB, 256 * kMiB, 512 * kMiB};
constexpr std::int64_t kTriedDivisions[] = {4, 8, 16};
constexpr double kLeastSaving = 0.02;

std::vector<AllocatorSettings> candidates(const AllocatorSettings& recorded)
{
    std::vector<AllocatorSettings> tried;
    const auto add = [&](const AllocatorSettings& settings) {
        if (settings != recorded)
            tried.push_back(settings);
    };
    AllocatorSettings other = recorded;
    other.expandableSegments = !recorded.expandableSegments;
    add(other);
    other = recorded;
    other.maxSplitSize = AllocatorSettings::kUnlimited;
    add(other);
    for (const Bytes size : kTriedSplitSizes) {
        other.maxSplitSize = size;
        add(other);
    }
    other = recorded;
    other.rounding = {};
    add(other);
    for (const std::int64_t divisions : kTriedDivisions) {
        other.rounding.divisions.fill(divisions);
        add(other);
    }
    return tried;
}

bool isProven(const SettingsAdvice& advice, const WhatIfResult& recorded)
{
    if (advice.result.newFailures > 0)
        return false;
    const double least = kLeastSaving * static_cast<double>(recorded.reservedPeak);
    return advice.fittingFailures > 0 || static_cast<double>(advice.savedBytes) > least;
}

} // namespace

std::string changeText(const AllocatorSettings& from, const AllocatorSettings& to)
{
    const std::vector<std::string> before = optionTexts(configurationText(from));
    const std::vector<std::string> after = optionTexts(configurationText(to));
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ",") + part; };
    for (const std::string& entry : after)
        if (std::ranges::find(before, entry) == before.end())
            add(entry);
    for (const std::string& entry : before) {
        const std::string name = entry.substr(0, entry.find(':') + 1);
        if (std::ranges::none_of(after, [&](const std::string& one) { return one.starts_with(name); }))
            add("without " + name.substr(0, name.size() - 1));
    }
    return text;
}

SettingsStudy recordedReplay(const AllocationScript& script)
{
    SettingsStudy study;
    study.recorded = replay(script, {script.settings, {}});
    study.fidelity = fidelityOf(script, study.recorded);
    return study;
}

SettingsStudy settingsAdvice(const AllocationScript& script)
{
    SettingsStudy study = recordedReplay(script);
    if (!study.fidelity.isTrusted())
        return study;
    for (const AllocatorSettings& settings : candidates(script.settings)) {
        ++study.tried;
        SettingsAdvice advice{settings, configurationText(settings, script.recorded),
            changeText(script.settings, settings), 0, 0, replay(script, {settings, {}})};
        advice.savedBytes = study.recorded.reservedPeak - advice.result.reservedPeak;
        if (study.fidelity.failuresHold)
            advice.fittingFailures = advice.result.fittingFailures();
        if (!isProven(advice, study.recorded))
            continue;
        std::string missing = missingRuleOf(script, {settings, {}}, advice.result);
        if (missing.empty())
            study.advice.push_back(std::move(advice));
        else
            study.missingRule = std::move(missing);
    }
    std::ranges::stable_sort(study.advice, [](const SettingsAdvice& a, const SettingsAdvice& b) {
        return std::tie(a.fittingFailures, a.savedBytes) > std::tie(b.fittingFailures, b.savedBytes);
    });
    return study;
}

std::string reasonForSilence(const SettingsStudy& study)
{
    if (!study.advice.empty())
        return {};
    if (!study.missingRule.empty())
        return "no advice: " + study.missingRule;
    const bool fromStart = study.recorded.reservedPeakEvent < 0 && study.recorded.failures.empty();
    if (study.fidelity.isTrusted() && fromStart)
        return "no advice: the peak was reserved before the first event, where other settings cannot be "
               "tried; record from the start of the program";
    if (study.fidelity.isTrusted())
        return fmt::format("none of {} other settings lowers the reserved peak by more than 2 %{}",
            study.tried, study.recorded.failures.empty() ? "" : " or makes a failed request fit");
    if (study.fidelity.newFailures > 0)
        return "no advice: the replay with the recorded settings runs out of memory where the run did not";
    return fmt::format("no advice: the replay with the recorded settings is off by {:.1f} %, more than 2 %",
        study.fidelity.share * 100);
}

} // namespace highwater
