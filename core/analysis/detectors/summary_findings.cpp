#include "core/analysis/detectors/summary_findings.h"

#include <algorithm>

namespace highwater {

namespace {

Grade gradeFromText(std::string_view text)
{
    return text == toText(Grade::A) ? Grade::A : text == toText(Grade::B) ? Grade::B : Grade::C;
}

} // namespace

std::vector<Finding> findingsOfSummary(const SummaryNotes& notes, const Device& device)
{
    std::vector<Finding> findings;
    for (const SummaryFinding& told : notes.findings) {
        Finding finding;
        finding.rule = told.rule;
        finding.grade = gradeFromText(told.grade);
        finding.kind = told.isFault ? FindingKind::Fault : FindingKind::Fact;
        finding.title = told.title;
        finding.device = device.ordinal;
        finding.bytes = told.bytes;
        finding.event = std::clamp<std::int64_t>(told.event, -1, device.events.size() - std::int64_t{1});
        if (told.step >= 0 && told.step < std::ssize(notes.steps))
            finding.step = static_cast<std::size_t>(told.step);
        for (const std::string& sentence : told.evidence)
            finding.evidence.push_back({sentence, {}});
        finding.remedy = {told.action, told.savedBytes, told.isUpperBound, told.isLowerBound};
        finding.wouldDisprove = told.wouldDisprove;
        finding.mergedInto = told.mergedInto;
        findings.push_back(std::move(finding));
    }
    std::ranges::stable_sort(findings, comesBefore);
    return findings;
}

} // namespace highwater
