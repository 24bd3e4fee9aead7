#include "core/analysis/ranks/merged_rank.h"

#include <algorithm>

#include "core/analysis/device/lost_start.h"
#include "core/analysis/steps/step_table.h"
#include "core/base/characters.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

const SummaryStep* stepOfPeak(const RankSummary& summary)
{
    for (const SummaryStep& step : summary.steps)
        if (step.begin <= summary.device.peakEvent && summary.device.peakEvent < step.end)
            return &step;
    return nullptr;
}

} // namespace

std::int64_t stepNumber(const SummaryStep& step, std::int64_t position)
{
    std::size_t firstDigit = step.name.size();
    while (firstDigit > 0 && isDigit(step.name[firstDigit - 1]))
        --firstDigit;
    return parsedNumber<std::int64_t>(std::string_view(step.name).substr(firstDigit)).value_or(position);
}

std::vector<const SummaryStep*> countedSteps(const RankSummary& summary)
{
    std::vector<const SummaryStep*> counted;
    for (const SummaryStep& step : summary.steps)
        if (step.isCounted && step.source != "whole")
            counted.push_back(&step);
    return counted;
}

std::vector<std::pair<std::int64_t, Bytes>> stepPeaks(const std::vector<const SummaryStep*>& steps)
{
    const std::size_t stepsPerEntry = (steps.size() + kMaxStepsOfRank - 1) / kMaxStepsOfRank;
    std::vector<std::pair<std::int64_t, Bytes>> peaks;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i % stepsPerEntry == 0)
            peaks.emplace_back(stepNumber(*steps[i], static_cast<std::int64_t>(i)), steps[i]->peakBytes);
        else
            peaks.back().second = std::max(peaks.back().second, steps[i]->peakBytes);
    }
    return peaks;
}

MergedRank mergedRank(const RankSummary& summary, const std::vector<const SummaryStep*>& counted)
{
    MergedRank rank;
    rank.identity = summary.identity;
    if (const SummaryStep* step = stepOfPeak(summary)) {
        rank.peakStep = step->source == "whole" ? "" : step->name;
        rank.peakPhase = step->peakPhase == "unknown" ? "" : step->peakPhase;
    }
    const bool countsItself = !counted.empty() && counted.front()->source != toText(StepSource::ProfilerStep)
        && counted.front()->source != toText(StepSource::Ranges);
    rank.startsLate = countsItself
        && std::ranges::any_of(
            summary.findings, [](const SummaryFinding& finding) { return tellsLostStart(finding.title); });
    rank.stepCount = std::ssize(counted);
    rank.growthPerStep = summary.growthPerStep;
    rank.growthSteps = summary.growthSteps;
    rank.leaks = std::ranges::any_of(summary.findings,
        [](const SummaryFinding& finding) { return finding.rule == "growth" && finding.isFault; });
    rank.cutOff = !summary.source.cutOff.empty();
    if (!counted.empty()) {
        rank.firstEndBytes = counted.front()->endBytes;
        rank.lastEndBytes = counted.back()->endBytes;
    }
    rank.freeAtPeak = summary.device.peakFreeBytes;
    return rank;
}

RankFile takeRankFile(const std::string& path, RankSummary& summary)
{
    RankDevice device;
    device.ordinal = summary.device.ordinal;
    device.label = summary.device.label;
    device.quantity = static_cast<Quantity>(summary.device.quantity);
    device.eventCount = summary.device.events;
    device.peakBytes = summary.device.peakBytes;
    device.peakEvent = summary.device.peakEvent;
    device.reservedPeakBytes = summary.device.reservedPeakBytes;
    device.oomCount = std::ssize(summary.ooms);
    device.firstOom = summary.ooms.empty() ? -1 : summary.ooms.front().event;
    for (std::size_t i = 0; i < summary.sites.size() && i < kMaxSitesOfRank; ++i)
        device.peakSites.emplace_back(std::move(summary.sites[i].key), summary.sites[i].bytes);
    std::ranges::sort(device.peakSites);
    const RankIdentity& identity = summary.identity;
    RankFile file;
    file.member = {path, identity.rank, identity.step, identity.pp};
    file.devices.push_back(std::move(device));
    file.isIncomplete = !summary.source.cutOff.empty();
    return file;
}

} // namespace highwater
