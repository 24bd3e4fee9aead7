#include <fmt/format.h>

#include "core/analysis/composition/step_figures.h"
#include "core/figure/step_pairs_figure.h"
#include "core/figure/steps_figure.h"
#include "core/report/parts/note_places.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"
#include "core/table/step_tables.h"

namespace highwater {

namespace {

bool hasSteps(const RunMaterial& run)
{
    return run.study.device() && run.study.device()->steps.source != StepSource::Whole
        && !run.study.device()->steps.steps.empty();
}

void addPairs(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    const StepPairs pairs{material.before->study.device()->steps, material.run.study.device()->steps,
        material.devices()->runs.steps(), material.run.study.device()->allocations.quantity()};
    blocks.push_back(reportFigure("step-pairs-figure", "The peak of each step, before and after side by side",
        bothNames(material), [&](const FigureOptions& sheet) {
            return stepPairsFigure(pairs, sheet,
                stepPairFlags(material.request.notes, notedDevice(*material.before),
                    notedDevice(material.run), material.devices()->runs.steps()));
        }));
    Table table = stepPairTable(pairs.before, pairs.after, pairs.aligned, material.mostRows());
    table.caption += "; " + quantityWords(*material.run.study.device());
    blocks.push_back(std::move(table));
}

void addRun(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    const StepTable& steps = run.study.device()->steps;
    blocks.push_back(reportFigure(idFor(run, "steps-figure"),
        captioned(
            run, "What was alive at the peak of each step, by category; lines: at its start and its end"),
        run.study.name(), [&](const FigureOptions& sheet) {
            return stepsFigure(
                *run.study.device(), sheet, stepFlags(material.request.notes, notedDevice(run)));
        }));
    const DeviceStudy& study = *run.study.device();
    Table table
        = mainSteps(withoutColumns(stepTable({steps, nullptr, nullptr, nullptr,
                                       categoriesAtPeaks(study.allocations, study.categories, steps.steps)}),
                        {"index", "events", "remarks"}),
            material.mostRows());
    table.caption
        = fmt::format("The steps; the categories of a row sum to its peak; {}", quantityWords(study));
    blocks.push_back(ofRun(run, std::move(table)));
    blocks.push_back(quiet(captioned(run,
        fmt::format(
            "Steps {} (source {}, grade {}).", steps.reason, toText(steps.source), toText(steps.grade)))));
}

} // namespace

std::vector<ReportBlock> stepsPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    if (material.devices() && hasSteps(*material.before) && hasSteps(material.run))
        addPairs(blocks, material);
    for (const RunMaterial* run : material.runs())
        if (hasSteps(*run))
            addRun(blocks, material, *run);
    return blocks;
}

} // namespace highwater
