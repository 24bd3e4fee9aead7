#include "core/study/next_step.h"

#include <algorithm>
#include <tuple>

namespace highwater {

namespace {

bool hasAction(const Finding* finding)
{
    return finding && !finding->remedy.action.empty();
}

bool isOwnAdvice(const Finding& finding)
{
    return finding.grade != Grade::C && finding.mergedInto.empty() && !isFailure(finding)
        && hasAction(&finding);
}

bool savesMore(const Finding* a, const Finding* b)
{
    return std::tie(a->remedy.savedBytes, a->bytes) > std::tie(b->remedy.savedBytes, b->bytes);
}

} // namespace

const Finding* firstToAct(const RunStudy& run)
{
    const Diagnosis& diagnosis = run.diagnosis();
    for (const auto& index : {diagnosis.named, diagnosis.failureFinding, diagnosis.worst}) {
        const Finding* finding = run.findingAt(index);
        if (finding && !finding->remedy.from.empty())
            if (const Finding* const other = run.finding(finding->remedy.from); hasAction(other))
                finding = other;
        if (hasAction(finding))
            return finding;
    }
    return nullptr;
}

std::vector<const Finding*> faultsToFix(const RunStudy& run)
{
    std::vector<const Finding*> faults;
    for (const Finding& finding : run.findings())
        if (finding.kind == FindingKind::Fault && isOwnAdvice(finding))
            faults.push_back(&finding);
    std::ranges::stable_sort(faults, savesMore);
    return faults;
}

} // namespace highwater
