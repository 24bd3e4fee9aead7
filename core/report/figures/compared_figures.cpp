#include "core/report/figures/compared_figures.h"

#include <fmt/format.h>

#include "core/figure/diff_figure.h"
#include "core/figure/series_pair_figure.h"
#include "core/figure/step_pairs_figure.h"
#include "core/report/input/note_places.h"

namespace highwater {

std::string bothNames(const ReportMaterial& material)
{
    return fmt::format("{} ↔ {}", material.before->study.name(), material.run.study.name());
}

Figure drawOverlay(const ReportMaterial& material, const RunAlignment& alignment, const FigureOptions& sheet)
{
    const RunMaterial& before = *material.before;
    const RunMaterial& after = material.run;
    return diffFigure({before.study.device()->curve, before.study.name()},
        {after.study.device()->curve, after.study.name()}, alignment,
        after.study.device()->allocations.quantity(), alignment.begin(), alignment.end(), sheet,
        alignedFlags(material.request.notes, notedDevice(before), notedDevice(after), alignment));
}

Figure drawStepPairs(const ReportMaterial& material, const FigureOptions& sheet)
{
    const RunMaterial& before = *material.before;
    const RunMaterial& after = material.run;
    const AlignedSteps& aligned = material.devices()->runs.steps();
    return stepPairsFigure({before.study.device()->steps, after.study.device()->steps, aligned,
                               after.study.device()->allocations.quantity()},
        sheet, stepPairFlags(material.request.notes, notedDevice(before), notedDevice(after), aligned));
}

Figure drawSeriesPair(const ReportMaterial& material, const FigureOptions& sheet)
{
    const LogDiff& logs = *material.logs();
    return seriesPairFigure({material.before->trace(), material.run.trace(), logs.series[*logs.compared],
                                material.before->study.name(), material.run.study.name()},
        sheet);
}

} // namespace highwater
