#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/device/moment_words.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/analysis/tensor_shapes/known_numbers.h"
#include "core/analysis/tensor_shapes/tensor_shapes.h"
#include "core/base/text_format.h"
#include "core/figure/composition_figure.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_tables.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"
#include "core/table/composition_tables.h"
#include "core/table/series_tables.h"

namespace highwater {

namespace {

std::int64_t peakEvent(const RunMaterial& run)
{
    return run.study.figures()->peakEvent;
}

Table stackTable(const RunMaterial& run, std::size_t maxRows)
{
    const DeviceStudy& study = *run.study.device();
    return captionedForPeak(run, "peak-stacks", "By stack, innermost frame of the program first",
        compositionTable(GroupKey::Stack,
            compositionAt(study.trace, study.allocations, study.sites, peakEvent(run), GroupKey::Stack),
            maxRows, [&](const CompositionGroup& group) {
                return stackWords(study.trace, study.allocations.stack(group.example),
                    study.sites.site(study.sites.of(group.example)).label);
            }));
}

/// Returns the most likely shape of a tensor of that size, with "?" for a guess; empty if there is none.
std::string shapeWords(const DeviceStudy& study, AllocationIndex example, const KnownNumbers& numbers)
{
    const std::vector<TensorShape> shapes = tensorShapes(shapeQuestion(study, example), numbers);
    if (shapes.empty())
        return {};
    return fmt::format("{}{} ({})", shapes.front().text(), shapes.front().grade == Grade::C ? "?" : "",
        shapes.front().names());
}

/// Returns the bytes of each size, and the possible shapes of tensors of that size.
Table sizeTable(const RunMaterial& run, std::size_t maxRows)
{
    const DeviceStudy& study = *run.study.device();
    const KnownNumbers numbers = knownNumbers(study, run.study.parts().settings);
    const Composition bySize
        = compositionAt(study.trace, study.allocations, study.sites, peakEvent(run), GroupKey::Size);
    return captionedForPeak(run, "peak-sizes", "By block size",
        withShapes(compositionTable(GroupKey::Size, bySize, maxRows,
                       [](const CompositionGroup& group) { return group.key; }),
            bySize,
            [&](const CompositionGroup& group) { return shapeWords(study, group.example, numbers); }));
}

/// Adds the values that other files of the run have for the device at the time of the peak.
void addAuxiliaryValues(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    if (!study.trace.hasTimes(study.device) || peakEvent(run) < 0)
        return;
    const Nanoseconds time = study.trace.events.time[study.trace.row(study.device, peakEvent(run))];
    std::vector<std::string> items;
    for (const AuxiliaryFile& auxiliary : run.study.parts().auxiliaryFiles) {
        const ClockedTrace clocked{
            auxiliary.trace, auxiliary.name, suggestedOffset(study.trace, *auxiliary.trace).value_or(0)};
        for (const AuxiliaryLine& line : auxiliaryLines(study.trace, study.device, clocked))
            if (const std::optional<Bytes> bytes = line.at(time))
                items.push_back(fmt::format("{}: {} then, {} at most ({})", line.title, formatBytes(*bytes),
                    formatBytes(line.peakBytes), offsetReason(study.trace, *auxiliary.trace)));
    }
    if (items.empty())
        return;
    blocks.push_back(paragraph(captioned(run, "Figures of the run's other files at the peak:")));
    blocks.push_back(ReportList{std::move(items)});
}

void addPeakOfDevice(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    if (run.study.figures()->peakBytes == 0)
        return;
    const DeviceStudy& study = *run.study.device();
    const bool isChosen = !material.request.options.parts.empty();
    if (material.isPullRequest() || (material.isBrief() && !isChosen)) {
        blocks.push_back(sitesAtPeak(run, material.maxRows()));
        return;
    }
    blocks.push_back(reportFigure(idFor(run, "composition"),
        captioned(run,
            fmt::format("In use at the {}, {}; bars are call sites, colours are categories",
                nameOfHighest(study), momentWords(study, peakEvent(run)))),
        run.study.name(),
        [&](const FigureOptions& sheet) { return compositionFigure(study, peakEvent(run), false, sheet); }));
    blocks.push_back(sitesAtPeak(run, material.maxRows()));
    blocks.push_back(categoriesAtPeak(run));
    blocks.push_back(stackTable(run, std::max<std::size_t>(material.maxRows() / 2, 2)));
    blocks.push_back(sizeTable(run, std::max<std::size_t>(material.maxRows() / 2, 2)));
    addAuxiliaryValues(blocks, run);
}

void addSeries(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    Table table = withoutColumns(seriesTable(run.trace()), {"note"});
    cutRows(table, material.maxRows(), "series");
    if (!table.rows.empty())
        blocks.push_back(tableOfRun(run, std::move(table)));
}

} // namespace

std::vector<ReportBlock> peakPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    for (const RunMaterial* run : material.runs()) {
        if (run->study.figures())
            addPeakOfDevice(blocks, material, *run);
        else if (!material.logs())
            addSeries(blocks, material, *run);
    }
    return blocks;
}

} // namespace highwater
