#include "core/analysis/detectors/finding.h"

#include <algorithm>

namespace highwater {

void Finding::addEvidence(EvidenceTarget target, std::string sentence)
{
    evidence.push_back({std::move(sentence), std::move(target)});
}

std::vector<AllocationIndex> allocationsOf(const Finding& finding)
{
    std::vector<AllocationIndex> allocations;
    for (const Evidence& evidence : finding.evidence)
        if (const auto* listed = std::get_if<AllocationsTarget>(&evidence.target);
            listed && !evidence.isContext)
            allocations.insert(allocations.end(), listed->allocations.begin(), listed->allocations.end());
    std::ranges::sort(allocations);
    allocations.erase(std::unique(allocations.begin(), allocations.end()), allocations.end());
    return allocations;
}

std::string ruleWords(std::string rule)
{
    if (rule == "growth")
        return "leak";
    if (rule == "outside-pytorch")
        return "outside PyTorch";
    if (rule == "divided-free-memory")
        return "split free memory";
    std::ranges::replace(rule, '-', ' ');
    return rule;
}

const Keeper* findKeeper(const std::vector<Finding>& findings, AllocationIndex allocation)
{
    for (const Finding& finding : findings)
        for (const Keeper& keeper : finding.keepers)
            if (std::ranges::binary_search(keeper.allocations, allocation))
                return &keeper;
    return nullptr;
}

bool comesBefore(const Finding& a, const Finding& b)
{
    return a.grade != b.grade ? a.grade < b.grade : a.bytes > b.bytes;
}

bool readsBefore(const Finding& a, const Finding& b)
{
    if (a.kind != b.kind)
        return a.kind == FindingKind::Fault;
    if (a.mergedInto.empty() != b.mergedInto.empty())
        return a.mergedInto.empty();
    if ((a.grade == Grade::C) != (b.grade == Grade::C))
        return b.grade == Grade::C;
    if (a.remedy.savedBytes != b.remedy.savedBytes)
        return a.remedy.savedBytes > b.remedy.savedBytes;
    return comesBefore(a, b);
}

} // namespace highwater
