#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/report/model/finding_text.h"
#include "core/report/parts/fault_changes.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxOneLiners = 5;
constexpr std::size_t kMaxBriefFindings = 3;
constexpr std::size_t kMaxBriefEvidence = 2;

/// Returns a finding with the run and the rank that it is about.
ReportFinding reported(Finding finding, const RunMaterial& run)
{
    return {std::move(finding), run.role,
        run.study.ranks() ? run.study.diagnosis().rank : std::optional<std::int64_t>()};
}

Table changesTable(const std::vector<ComparedFault>& faults)
{
    Table table{"fault-changes", "Faults before and after",
        {{"Fault", "rule", false}, {"Change", "became", false}, {"Before", "before_bytes", true},
            {"After", "after_bytes", true}, {"Finding", "title", false}}};
    const auto bytesOf = [](const Finding* finding) { return finding ? bytesCell(finding->bytes) : Cell(); };
    for (const ComparedFault& fault : faults)
        table.rows.push_back({Cell(fault.shown().rule).show(upperFirst(ruleWords(fault.shown().rule))),
            std::string(toText(fault.change)), bytesOf(fault.before), bytesOf(fault.after),
            fmt::format("{}{}", fault.after ? "" : "before: ", fault.shown().title)});
    return table;
}

/// Returns the titles of the first faults, with their grades.
ReportList oneLiners(const RunMaterial& run)
{
    ReportList list;
    for (const Finding& finding : run.study.findings())
        if (finding.kind == FindingKind::Fault && finding.mergedInto.empty()
            && list.items.size() < kMaxOneLiners)
            list.items.push_back(
                captioned(run, fmt::format("{} ({})", finding.title, inWords(finding.grade))));
    return list;
}

/// Adds the faults that can be fixed, each with its strongest evidence; without any, the largest saving.
void addBrief(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    std::size_t shownCount = 0;
    std::size_t omittedCount = 0;
    const Finding* const opportunity = run.study.findingAt(run.study.diagnosis().opportunity);
    for (const Finding* const each : run.study.inReadingOrder()) {
        Finding finding = *each;
        const bool isShown = finding.kind == FindingKind::Fault || each == opportunity;
        const bool isOnFirstPage = isGpuOom(failureClass(finding).value_or(DiagnosisClass::Fault));
        if (shownCount == kMaxBriefFindings || !isShown || !finding.mergedInto.empty()
            || finding.grade == Grade::C || isOnFirstPage) {
            ++omittedCount;
            continue;
        }
        ++shownCount;
        if (finding.evidence.size() > kMaxBriefEvidence)
            finding.evidence.resize(kMaxBriefEvidence);
        finding.wouldDisprove.clear();
        if (!isFailure(finding))
            finding.remedy.action.clear(); // page one has it
        blocks.push_back(reported(std::move(finding), run));
    }
    if (omittedCount > 0 && !blocks.empty())
        blocks.push_back(quiet(captioned(run,
            fmt::format(
                "A full report (--full) has {}.", counted(omittedCount, "more finding", "more findings")))));
}

/// Adds all findings, first the finding that the diagnosis names.
void addFindings(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    for (const Finding* const finding : run.study.inReadingOrder())
        blocks.push_back(reported(*finding, run));
}

/// Adds the faults of the earlier run that are fixed. Its other faults are in the table of changes.
void addFixed(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    for (const ComparedFault& fault : comparedFaults(*material.before, material.run))
        if (fault.change == FaultChange::Fixed)
            blocks.push_back(reported(*fault.before, *material.before));
    blocks.push_back(
        quiet("Only the fixed faults of the earlier run are listed here; the table has the others."));
}

} // namespace

std::vector<ReportBlock> findingsPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    if (material.isPullRequest()) {
        for (const RunMaterial* run : material.runs())
            if (ReportList list = oneLiners(*run); !list.items.empty())
                blocks.push_back(std::move(list));
        return blocks;
    }
    if (material.isBrief()) { // page one lists the faults that are fixed, remain or are new
        addBrief(blocks, material.run);
        return blocks;
    }
    if (material.hasTwoRuns())
        if (const std::vector<ComparedFault> faults = comparedFaults(*material.before, material.run);
            !faults.empty())
            blocks.push_back(changesTable(faults));
    addFindings(blocks, material.run);
    if (material.before && material.request.options.kind == ReportTemplate::BeforeAfter)
        addFixed(blocks, material);
    else if (material.before)
        addFindings(blocks, *material.before);
    return blocks;
}

} // namespace highwater
