#include "core/analysis/detectors/overlaps.h"

#include <algorithm>
#include <array>

namespace highwater {

namespace {

/// What keeps memory, from the cause to its appearance.
constexpr std::array<std::string_view, 13> kFromTheCause = {"cross-stream-delay", "generation-with-gradients",
    "retained-graph", "unused-graph", "growth", "still-rising", "duplicate-model", "gradient-buckets",
    "stale-gradients", "padded-to-maximum", "attention-materialised", "precision-upcast", "oversized-logits"};
constexpr std::array<std::string_view, 2> kFailures = {"fragmentation", "divided-free-memory"};

std::vector<AllocationIndex> blocksOf(const Finding& finding)
{
    std::vector<AllocationIndex> blocks;
    for (const Evidence& evidence : finding.evidence)
        if (const auto* some = std::get_if<AllocationsTarget>(&evidence.target))
            blocks.insert(blocks.end(), some->allocations.begin(), some->allocations.end());
    std::ranges::sort(blocks);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

Bytes sumOf(const DeviceStudy& study, const std::vector<AllocationIndex>& blocks)
{
    Bytes sum = 0;
    for (const AllocationIndex i : blocks)
        sum += study.allocations.bytes(i);
    return sum;
}

bool isMostly(const DeviceStudy& study, const Finding& finding, const Finding& other)
{
    const std::vector<AllocationIndex> blocks = blocksOf(finding);
    std::vector<AllocationIndex> common;
    std::ranges::set_intersection(blocks, blocksOf(other), std::back_inserter(common));
    return !common.empty() && sumOf(study, common) * 2 >= sumOf(study, blocks);
}

/// The rules that may explain a rule, nearest to the cause first.
std::vector<std::string_view> explainersOf(std::string_view rule)
{
    if (rule == "settings-advice")
        return {kFailures.begin(), kFailures.end()};
    const auto place = std::ranges::find(kFromTheCause, rule);
    return place == kFromTheCause.end() ? std::vector<std::string_view>()
                                        : std::vector<std::string_view>(kFromTheCause.begin(), place);
}

bool mayExplain(const DeviceStudy& study, const Finding& finding, const Finding& other)
{
    const bool isWeaker = other.grade == Grade::C && finding.grade != Grade::C;
    if (isWeaker || (finding.kind == FindingKind::Fault && other.kind != FindingKind::Fault))
        return false;
    return finding.rule == "settings-advice" ? finding.kind == FindingKind::Fault
                                             : isMostly(study, finding, other);
}

} // namespace

void nameWhatExplains(const DeviceStudy& study, std::vector<Finding>& findings)
{
    for (Finding& finding : findings)
        for (const std::string_view rule : explainersOf(finding.rule)) {
            const auto other = std::ranges::find(findings, rule, &Finding::rule);
            if (other != findings.end() && mayExplain(study, finding, *other)) {
                finding.mergedInto = std::string(rule);
                break;
            }
        }
}

} // namespace highwater
