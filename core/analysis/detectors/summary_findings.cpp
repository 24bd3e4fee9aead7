#include "core/analysis/detectors/summary_findings.h"

#include <algorithm>

namespace highwater {

std::vector<Finding> findingsOfSummary(const SummaryNotes& notes, const Device& device)
{
    std::vector<Finding> findings;
    for (const SummaryFinding& stored : notes.findings) {
        Finding finding;
        finding.rule = stored.rule;
        finding.grade = gradeFromText(stored.grade);
        finding.kind = stored.isFault ? FindingKind::Fault : FindingKind::Fact;
        finding.title = stored.title;
        finding.device = device.ordinal;
        finding.bytes = stored.bytes;
        finding.event = std::clamp<std::int64_t>(stored.event, -1, device.events.size() - std::int64_t{1});
        if (stored.step >= 0 && stored.step < std::ssize(notes.steps))
            finding.step = static_cast<std::size_t>(stored.step);
        for (const std::string& sentence : stored.evidence)
            finding.evidence.push_back({sentence, {}});
        finding.remedy = {stored.action, stored.savedBytes, stored.isUpperBound, stored.isLowerBound};
        finding.wouldDisprove = stored.wouldDisprove;
        finding.mergedInto = stored.mergedInto;
        findings.push_back(std::move(finding));
    }
    std::ranges::stable_sort(findings, comesBefore);
    return findings;
}

} // namespace highwater
