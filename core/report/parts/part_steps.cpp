#include "core/report/parts/part_steps.h"

#include "core/report/figures/compared_figures.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_text.h"
#include "core/table/step_tables.h"

namespace highwater {

namespace {

constexpr int kBriefHeight = 240;

bool bothHaveSteps(const ReportMaterial& material)
{
    return material.devices() && hasSteps(*material.before) && hasSteps(material.run);
}

} // namespace

bool hasSteps(const RunMaterial& run)
{
    return run.study.device() && run.study.device()->steps.source != StepSource::Whole
        && !run.study.device()->steps.steps.empty();
}

void addStepPairs(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    if (!bothHaveSteps(material))
        return;
    blocks.push_back(reportFigure(
        "step-pairs-figure", "The peak of each step, before and after", bothNames(material),
        [&](const FigureOptions& sheet) { return drawStepPairs(material, sheet); },
        material.isBrief() ? kBriefHeight : kFigureHeight));
}

void addStepPairTable(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    if (!bothHaveSteps(material))
        return;
    Table table = stepPairTable(material.before->study.device()->steps, material.run.study.device()->steps,
        material.devices()->runs.steps(), material.maxRows());
    table.caption += "; " + quantityLabel(*material.run.study.device());
    blocks.push_back(std::move(table));
}

} // namespace highwater
