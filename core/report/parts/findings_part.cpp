#include <algorithm>

#include <fmt/format.h>

#include "core/report/parts/fault_changes.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

namespace {

constexpr std::size_t kMostOneLiners = 5;

Table changesTable(const std::vector<ChangedFault>& faults)
{
    Table table{"fault-changes", "What became of the faults",
        {{"Rule", "rule", false}, {"Became", "became", false}, {"Before", "before_bytes", true},
            {"After", "after_bytes", true}, {"Says", "title", false}}};
    for (const ChangedFault& fault : faults)
        table.rows.push_back({fault.shown().rule, std::string(toText(fault.change)),
            fault.before ? bytesCell(fault.before->bytes) : Cell(),
            fault.after ? bytesCell(fault.after->bytes) : Cell(),
            fmt::format("{}{}", fault.after ? "" : "before: ", fault.shown().title)});
    return table;
}

ReportList oneLiners(const RunMaterial& run)
{
    ReportList list;
    for (const Finding& finding : run.study.findings())
        if (finding.kind == FindingKind::Fault && finding.mergedInto.empty()
            && list.items.size() < kMostOneLiners)
            list.items.push_back(
                captioned(run, fmt::format("{} (grade {})", finding.title, toText(finding.grade))));
    return list;
}

/// Faults first.
void addFindings(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    std::vector<Finding> findings = run.study.findings();
    std::ranges::stable_sort(findings, readsBefore);
    for (Finding& finding : findings)
        blocks.push_back(ReportFinding{std::move(finding), run.role});
}

/// Whether the fix worked is asked: of the run before only what is gone.
void addFixed(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    for (const ChangedFault& fault : changedFaults(*material.before, material.run))
        if (fault.change == FaultChange::Fixed)
            blocks.push_back(ReportFinding{*fault.before, material.before->role});
    blocks.push_back(
        quiet("Of the run before only what is fixed is told here; what is still there is in the table."));
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
    if (material.hasTwoRuns())
        if (const auto faults = changedFaults(*material.before, material.run); !faults.empty())
            blocks.push_back(changesTable(faults));
    addFindings(blocks, material.run);
    if (material.before && material.request.options.kind == ReportTemplate::BeforeAfter)
        addFixed(blocks, material);
    else if (material.before)
        addFindings(blocks, *material.before);
    return blocks;
}

} // namespace highwater
