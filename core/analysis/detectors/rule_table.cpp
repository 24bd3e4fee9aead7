#include "core/analysis/detectors/rule_table.h"

#include <algorithm>

#include "core/analysis/detectors/rules.h"
#include "core/base/embedded_resource.h"

namespace highwater {

namespace {

constexpr Rule kRules[] = {
    {"peak-summary", findPeakSummary, Rule::ToleratesCutFiles},
    {"capture-quality", findCaptureQuality, Rule::ToleratesCutFiles},
    {"growth", findGrowth, Rule::ToleratesCutFiles, 50}, {"growth", findGrowthInLog, Rule::FromLogs},
    {"retained-graph", findRetainedGraph, Rule::ToleratesCutFiles, 30},
    {"unused-graph", findUnusedGraph, 0, 40}, {"still-rising", findStillRising, 0, 60},
    {"generation-with-gradients", findGenerationWithGradients, 0, 20},
    {"oversized-logits", findOversizedLogits, 0, 130},
    {"duplicate-model", findDuplicateModel, Rule::NeedsHistory, 70}, {"peak-phase", findPeakPhase},
    {"stale-gradients", findStaleGradients, Rule::GradedByCategories, 90},
    {"unused-gradients", findUnusedGradients, Rule::GradedByCategories},
    {"second-optimizer", findSecondOptimizer, Rule::GradedByCategories},
    {"kv-cache-in-training", findKvCacheInTraining, 0, 55},
    {"optimizer-state-first-step", findOptimizerState, Rule::GradedByCategories},
    {"steady-peak-forecast", findSteadyForecast, Rule::NeedsWholeFile},
    {"gradient-buckets", findGradientBuckets, Rule::GradedByCategories, 80},
    {"reserved-above-live", findReservedAboveLive, Rule::NeedsWholeFile},
    {"device-imbalance", findDeviceImbalance, Rule::NeedsWholeFile},
    {"settings-advice", findSettingsAdvice, Rule::Slow | Rule::NeedsWholeFile},
    {"settings-not-effective", findIneffectiveSettings},
    {"padded-to-maximum", findPaddedToMaximum, Rule::PartOfAllocations, 100},
    {"attention-materialised", findAttentionMaterialised, 0, 110}, {"cache-flush-churn", findCacheFlushChurn},
    {"private-pools", findPrivatePools, Rule::PartOfAllocations | Rule::NeedsWholeFile},
    {"cross-stream-delay", findCrossStreamDelay, 0, 10},
    {"rounding-waste", findRoundingWaste, Rule::PartOfAllocations | Rule::NeedsWholeFile},
    {"autocast-copies", findAutocastCopies}, {"precision-upcast", findPrecisionUpcast, 0, 120},
    {"fragmentation", findOutOfMemory, Rule::FromLogs | Rule::Slow | Rule::CurableBySetting},
    {"divided-free-memory", findOutOfMemory, Rule::FromLogs | Rule::Slow | Rule::CurableBySetting},
    {"too-big", findOutOfMemory, Rule::FromLogs | Rule::Slow},
    {"process-cap", findOutOfMemory, Rule::FromLogs | Rule::Slow},
    {"reserve-too-small", findOutOfMemory, Rule::FromLogs | Rule::Slow},
    {"above-capacity", findOutOfMemory, Rule::FromLogs | Rule::Slow | Rule::ReadFromMessages},
    {"allocation-limit", findOutOfMemory, Rule::FromLogs | Rule::Slow | Rule::ReadFromMessages},
    {"corrupt-request", findOutOfMemory, Rule::FromLogs | Rule::Slow | Rule::ReadFromMessages},
    {"not-on-device", findOutOfMemory, Rule::FromLogs | Rule::Slow | Rule::ReadFromMessages},
    {"out-of-memory", findOutOfMemory, Rule::FromLogs | Rule::Slow | Rule::ReadFromMessages},
    {"outside-pytorch", findOutsidePyTorch, Rule::FromLogs},
    {"inconsistent-oom-text", findInconsistentOomText, Rule::FromLogs | Rule::ReadFromMessages},
    {"host-out-of-memory", findHostOutOfMemory, Rule::FromLogs | Rule::ReadFromMessages},
    {"driver-out-of-memory", findOtherFailuresInLog, Rule::FromLogs | Rule::ReadFromMessages},
    {"engine-no-room", findOtherFailuresInLog, Rule::FromLogs | Rule::ReadFromMessages},
    {"unclear-failure", findOtherFailuresInLog, Rule::FromLogs | Rule::ReadFromMessages},
    {"other-failure", findOtherFailuresInLog, Rule::FromLogs | Rule::ReadFromMessages},
    {"allocator-retries", findAllocatorWarnings, Rule::FromLogs},
    {"memory-warning", findAllocatorWarnings, Rule::FromLogs},
    {"rank-outlier"}, // compares several files (rank_outlier.h)
};

std::vector<std::string_view> sortedNames()
{
    std::vector<std::string_view> names;
    for (const Rule& rule : kRules)
        names.push_back(rule.name);
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

} // namespace

std::span<const Rule> rules()
{
    return kRules;
}

const Rule* ruleNamed(std::string_view name)
{
    const Rule* const rule = std::ranges::find(kRules, name, &Rule::name);
    return rule == std::end(kRules) ? nullptr : rule;
}

std::span<const std::string_view> ruleNames()
{
    static const std::vector<std::string_view> names = sortedNames();
    return names;
}

std::string rulePageFile(std::string_view rule)
{
    const Rule* const known = ruleNamed(rule);
    if (!known)
        return {};
    return (known->is(Rule::ReadFromMessages) ? "findings/failures/" : "findings/") + std::string(rule)
        + ".md";
}

std::string_view rulePage(std::string_view rule)
{
    const std::string file = rulePageFile(rule);
    return file.empty() ? std::string_view() : embeddedResource("manual/" + file).value_or("");
}

} // namespace highwater
