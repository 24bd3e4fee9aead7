#include "core/analysis/detectors/overlaps.h"

#include <algorithm>

#include "core/analysis/detectors/rule_table.h"
#include "core/analysis/detectors/worth_reporting.h"

namespace highwater {

namespace {

bool isAdvice(std::string_view rule)
{
    return rule == "settings-advice";
}

/// Returns all allocations of the evidence, including context. Ascending; each once.
std::vector<AllocationIndex> evidenceBlocks(const Finding& finding)
{
    std::vector<AllocationIndex> blocks;
    for (const Evidence& evidence : finding.evidence)
        if (const auto* blocksTarget = std::get_if<AllocationsTarget>(&evidence.target))
            blocks.insert(blocks.end(), blocksTarget->allocations.begin(), blocksTarget->allocations.end());
    std::ranges::sort(blocks);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

/// True if the other finding has at least half of the bytes of this finding's evidence.
bool sharesMostBytes(const DeviceStudy& study, const Finding& finding, const Finding& other)
{
    const std::vector<AllocationIndex> blocks = evidenceBlocks(finding);
    std::vector<AllocationIndex> common;
    std::ranges::set_intersection(blocks, evidenceBlocks(other), std::back_inserter(common));
    return !common.empty() && bytesOf(study.allocations, common) * 2 >= bytesOf(study.allocations, blocks);
}

/// Returns the rules that may explain a finding of this rule, those nearest to the cause first.
std::vector<Rule> findExplainers(std::string_view name)
{
    const Rule* const rule = ruleNamed(name);
    const int causeOrder = rule ? rule->causeOrder : 0;
    std::vector<Rule> explainers;
    for (const Rule& other : rules())
        if (isAdvice(name) ? other.is(Rule::CurableBySetting)
                           : other.causeOrder > 0 && other.causeOrder < causeOrder)
            explainers.push_back(other);
    std::ranges::stable_sort(explainers, {}, &Rule::causeOrder);
    return explainers;
}

bool mayExplain(const DeviceStudy& study, const Finding& finding, const Finding& other)
{
    const bool isWeaker = other.grade == Grade::C && finding.grade != Grade::C;
    if (isWeaker || (finding.kind == FindingKind::Fault && other.kind != FindingKind::Fault))
        return false;
    return isAdvice(finding.rule) ? finding.kind == FindingKind::Fault
                                  : sharesMostBytes(study, finding, other);
}

} // namespace

void markExplainedFindings(const DeviceStudy& study, std::vector<Finding>& findings)
{
    for (Finding& finding : findings)
        for (const Rule& rule : findExplainers(finding.rule)) {
            const auto other = std::ranges::find(findings, rule.name, &Finding::rule);
            if (other != findings.end() && mayExplain(study, finding, *other)) {
                finding.mergedInto = std::string(rule.name);
                break;
            }
        }
}

} // namespace highwater
