#include "core/analysis/detectors/detectors.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <numeric>

#include "core/analysis/detectors/advice.h"
#include "core/analysis/detectors/overlaps.h"
#include "core/analysis/detectors/rule_table.h"
#include "core/analysis/detectors/summary_findings.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/doubtful_totals.h"
#include "core/base/interruption.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// A detector with the traits of its rules.
struct DetectorEntry
{
    Detector find = nullptr;
    bool isFromLogs = false;
    bool isSlow = false;
    bool needsHistory = false;
    bool needsWholeFile = false;
};

std::vector<DetectorEntry> distinctDetectors()
{
    std::vector<DetectorEntry> entries;
    for (const Rule& rule : rules())
        if (rule.find && std::ranges::find(entries, rule.find, &DetectorEntry::find) == entries.end())
            entries.push_back({rule.find, rule.is(Rule::FromLogs), rule.is(Rule::Slow),
                rule.is(Rule::NeedsHistory), rule.is(Rule::NeedsWholeFile)});
    return entries;
}

/// Lowers grade A to B if totals are incomplete or may be wrong, because nothing that is computed from them
/// is then certain. Rules that tolerate cut files keep their grade if totals are incomplete, and
/// capture-quality keeps it in both cases.
void lowerGradeToTrust(const DetectorInput& input, Finding& finding)
{
    if (!input.study || finding.grade != Grade::A)
        return;
    const Rule* const rule = ruleNamed(finding.rule);
    const bool isSure = rule && rule->is(Rule::ToleratesCutFiles);
    const bool isDoubtful = finding.rule != "capture-quality" && !doubtOfTotals(input.study->trace).empty();
    if (isDoubtful || (totalsAreLowerBounds(input.study->about()) && !isSure))
        finding.grade = Grade::B;
}

/// True if the peak of the run may be higher than that of the file.
bool isPeakUncertain(const DetectorInput& input)
{
    return input.study && figureCertainty(input.study->about()).peak != Certainty::Exactly;
}

/// Removes the saving of a finding about a file that is cut off: what it would save of the run's peak is
/// unknown, since the peak is.
void dropSaving(Remedy& remedy)
{
    remedy = Remedy(std::move(remedy.action));
}

/// Lowers the grade to the overall grade of the categories of its blocks: a finding about gradients is no
/// surer than that its blocks are gradients.
void lowerGradeToCategories(const DeviceStudy& study, Finding& finding)
{
    GradeBytes bytes{};
    for (const Evidence& evidence : finding.evidence)
        if (const auto* blocks = std::get_if<AllocationsTarget>(&evidence.target))
            for (const AllocationIndex i : blocks->allocations)
                bytes[static_cast<std::size_t>(study.categories.gradeOf(i))] += study.allocations.bytes(i);
    finding.grade = std::max(finding.grade, overallGrade(bytes).value_or(Grade::A));
}

/// Returns "in step 3", or "at event 7" if steps are unknown.
std::string placeOfMoment(const DeviceStudy& study, std::int64_t event)
{
    const std::string place = study.steps.placeText(event);
    return place.empty() ? formatMoment(event, "at") : place;
}

/// Explains a saving that is lower than the bytes of the finding: without them, another moment is the peak.
void explainLowerSaving(const DeviceStudy& study, Finding& finding)
{
    const Remedy& remedy = finding.remedy;
    if (finding.kind != FindingKind::Fault || !remedy.removed || remedy.isUpperBound
        || remedy.savedBytes >= finding.bytes)
        return;
    const CurvePeak peak = UsageCurve(study.curve, *remedy.removed).peak();
    finding.addEvidence(EventTarget{peak.event},
        "Without this memory the run peaks {} instead, at {}: that saves {} of {}",
        placeOfMoment(study, peak.event), formatBytes(peak.bytes), formatBytes(remedy.savedBytes),
        formatBytes(finding.bytes));
}

/// Marks functions in the texts whose names read as words.
void markCalls(Finding& finding)
{
    finding.title = withCallMarks(finding.title);
    finding.remedy.action = withCallMarks(finding.remedy.action);
    for (Evidence& evidence : finding.evidence)
        evidence.sentence = withCallMarks(evidence.sentence);
}

std::vector<Finding> runDetector(const DetectorEntry& detector, const DetectorInput& input)
{
    interruptionPoint();
    if ((!detector.isFromLogs && !input.study) || (detector.needsHistory && !input.hasHistory())
        || (detector.needsWholeFile && isPeakUncertain(input)))
        return {};
    std::vector<Finding> findings = detector.find(input);
    for (Finding& finding : findings) {
        lowerGradeToTrust(input, finding);
        if (const Rule* const rule = ruleNamed(finding.rule); rule && rule->is(Rule::GradedByCategories))
            lowerGradeToCategories(*input.study, finding);
        if (input.study && !isPeakUncertain(input))
            explainLowerSaving(*input.study, finding);
        if (isPeakUncertain(input))
            dropSaving(finding.remedy);
        markCalls(finding);
    }
    return findings;
}

/// Calls `find` with the index of each detector. If the detectors run side by side, the slow ones start
/// first, so that the others do not wait for them at the end. One after another, the slow ones run last, so
/// that the other findings appear early.
void forEachDetector(const std::vector<DetectorEntry>& detectors, const SideBySide& sideBySide,
    const std::function<void(std::size_t)>& find)
{
    std::vector<std::size_t> order(detectors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
        [&](std::size_t i) { return detectors[i].isSlow == static_cast<bool>(sideBySide); });
    if (sideBySide)
        sideBySide(order.size(), [&](std::size_t i) { find(order[i]); });
    else
        std::ranges::for_each(order, find);
}

} // namespace

std::vector<Finding> findFindings(
    const DetectorInput& input, const FindingSink& sink, const SideBySide& sideBySide)
{
    if (input.study)
        if (const std::optional<SummaryNotes> notes = readSummaryNotes(input.study->trace.metadata))
            return findingsOfSummary(*notes, input.study->about());
    const std::vector<DetectorEntry> detectors = distinctDetectors();
    std::vector<std::vector<Finding>> found(detectors.size());
    std::mutex sinkMutex;
    forEachDetector(detectors, sideBySide, [&](std::size_t i) {
        found[i] = runDetector(detectors[i], input);
        if (!sink)
            return;
        const std::scoped_lock lock(sinkMutex);
        std::ranges::for_each(found[i], sink);
    });
    std::vector<Finding> all;
    for (std::vector<Finding>& findings : found)
        std::ranges::move(findings, std::back_inserter(all));
    if (input.study) {
        markExplainedFindings(*input.study, all);
        settleAdvice(input, all);
    }
    std::ranges::stable_sort(all, comesBefore);
    return all;
}

} // namespace highwater
