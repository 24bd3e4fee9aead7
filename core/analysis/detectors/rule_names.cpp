#include "core/analysis/detectors/rule_names.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/embedded_resource.h"

namespace highwater {

namespace {

constexpr std::array<std::string_view, 46> kRules = {"above-capacity", "allocation-limit",
    "allocator-retries", "attention-materialised", "autocast-copies", "cache-flush-churn", "capture-quality",
    "corrupt-request", "cross-stream-delay", "device-imbalance", "divided-free-memory",
    "driver-out-of-memory", "duplicate-model", "engine-no-room", "fragmentation", "generation-with-gradients",
    "gradient-buckets", "growth", "host-out-of-memory", "inconsistent-oom-text", "memory-warning",
    "not-on-device", "optimizer-state-first-step", "other-failure", "out-of-memory", "outside-pytorch",
    "oversized-logits", "padded-to-maximum", "peak-phase", "peak-summary", "precision-upcast",
    "private-pools", "process-cap", "rank-outlier", "reserve-too-small", "reserved-above-live",
    "retained-graph", "rounding-waste", "settings-advice", "settings-not-effective", "stale-gradients",
    "steady-peak-forecast", "still-rising", "too-big", "unclear-failure", "unused-graph"};
static_assert(std::ranges::is_sorted(kRules));

/// Those of messages of failures, whose pages are in a folder of their own.
constexpr std::array<std::string_view, 11> kRulesOfMessages = {"above-capacity", "allocation-limit",
    "corrupt-request", "driver-out-of-memory", "engine-no-room", "host-out-of-memory",
    "inconsistent-oom-text", "not-on-device", "other-failure", "out-of-memory", "unclear-failure"};
static_assert(std::ranges::is_sorted(kRulesOfMessages));

} // namespace

std::span<const std::string_view> ruleNames()
{
    return kRules;
}

std::string rulePageFile(std::string_view rule)
{
    if (!std::ranges::binary_search(kRules, rule))
        return {};
    const bool isOfMessage = std::ranges::binary_search(kRulesOfMessages, rule);
    return (isOfMessage ? "findings/failures/" : "findings/") + std::string(rule) + ".md";
}

std::string_view rulePage(std::string_view rule)
{
    const std::string file = rulePageFile(rule);
    return file.empty() ? std::string_view() : embeddedResource("manual/" + file).value_or("");
}

} // namespace highwater
