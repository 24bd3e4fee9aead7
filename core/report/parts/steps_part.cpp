#include <fmt/format.h>

#include "core/analysis/composition/step_figures.h"
#include "core/figure/steps_figure.h"
#include "core/report/input/note_places.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_steps.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"
#include "core/table/step_tables.h"

namespace highwater {

namespace {

void addStepsOfRun(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    const StepTable& steps = run.study.device()->steps;
    blocks.push_back(reportFigure(idFor(run, "steps-figure"),
        captioned(run, "In use at the peak of each step, by category; lines: at its start and end"),
        run.study.name(), [&](const FigureOptions& sheet) {
            return stepsFigure(
                *run.study.device(), sheet, stepFlags(material.request.notes, notedDevice(run)));
        }));
    const DeviceStudy& study = *run.study.device();
    Table table
        = mainSteps(withoutColumns(stepTable({steps, nullptr, nullptr, nullptr,
                                       categoriesAtPeaks(study.allocations, study.categories, steps.steps)}),
                        {"index", "events", "remarks"}),
            material.maxRows());
    table.caption = fmt::format("The steps; categories sum to the peak; {}", quantityLabel(study));
    blocks.push_back(tableOfRun(run, std::move(table)));
    blocks.push_back(quiet(captioned(run, steps.foundText() + ".")));
}

} // namespace

std::vector<ReportBlock> stepsPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    addStepPairs(blocks, material);
    addStepPairTable(blocks, material);
    for (const RunMaterial* run : material.runs())
        if (hasSteps(*run))
            addStepsOfRun(blocks, material, *run);
    return blocks;
}

} // namespace highwater
