#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/diff/log_diff_text.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/analysis/ranks/rank_sentences.h"
#include "core/analysis/tensor_shapes/known_numbers.h"
#include "core/analysis/tensor_shapes/tensor_shapes.h"
#include "core/base/text_format.h"
#include "core/figure/composition_figure.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_tables.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

namespace {

std::int64_t peakEvent(const RunMaterial& run)
{
    return run.study.figures()->peakEvent;
}

ReportTable stacks(const RunMaterial& run, std::size_t mostRows)
{
    const DeviceStudy& study = *run.study.device();
    return compositionTable(idFor(run, "peak-stacks"),
        captioned(
            run, fmt::format("By stack, innermost frame of the program first; {}", quantityWords(study))),
        "Stack", compositionAt(study.trace, study.allocations, study.sites, peakEvent(run), GroupKey::Stack),
        mostRows, [&](const CompositionGroup& group) {
            return stackWords(study.trace, study.allocations.stack(group.example),
                study.sites.site(study.sites.of(group.example)).label);
        });
}

std::string shapeWords(const DeviceStudy& study, AllocationIndex example, const KnownNumbers& numbers)
{
    const std::vector<TensorShape> shapes = tensorShapes(shapeQuestion(study, example), numbers);
    if (shapes.empty())
        return {};
    return fmt::format("{}{} ({})", shapes.front().text(), shapes.front().grade == Grade::C ? "?" : "",
        shapes.front().names());
}

/// What single sizes hold, and what tensors of such a size may be.
ReportTable sizes(const RunMaterial& run, std::size_t mostRows)
{
    const DeviceStudy& study = *run.study.device();
    const KnownNumbers numbers = knownNumbers(study, run.study.parts().settings);
    const Composition bySize
        = compositionAt(study.trace, study.allocations, study.sites, peakEvent(run), GroupKey::Size);
    ReportTable table = compositionTable(idFor(run, "peak-sizes"),
        captioned(run, fmt::format("By size of the block; {}", quantityWords(study))), "Size", bySize,
        mostRows, [](const CompositionGroup& group) { return group.key; });
    table.columns.push_back({"May be (inferred from the size)", "shape", false});
    const bool hasOthers = table.rows.size() < bySize.groups.size();
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const bool isGroup = !hasOthers || i + 1 < table.rows.size();
        table.rows[i].push_back(
            textCell(isGroup ? shapeWords(study, bySize.groups[i].example, numbers) : std::string()));
    }
    table.total.emplace_back();
    return table;
}

/// What other files of the run say of the device at the peak.
void addLevels(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    const DeviceStudy& study = *run.study.device();
    if (!study.trace.hasTimes(study.device) || peakEvent(run) < 0)
        return;
    const Nanoseconds time = study.trace.events.time[study.trace.row(study.device, peakEvent(run))];
    std::vector<std::string> items;
    for (const CompanionFile& companion : run.study.parts().companions) {
        const ClockedTrace other{
            companion.trace, companion.name, suggestedOffset(study.trace, *companion.trace).value_or(0)};
        for (const CompanionLine& line : companionLines(study.trace, study.device, other))
            if (const std::optional<Bytes> bytes = line.at(time))
                items.push_back(fmt::format("{}: {} then, {} at most ({})", line.title, formatBytes(*bytes),
                    formatBytes(line.peakBytes), offsetReason(study.trace, *companion.trace)));
    }
    if (items.empty())
        return;
    blocks.push_back(
        paragraph(captioned(run, "What other files of the run tell of the device at the peak:")));
    blocks.push_back(ReportList{std::move(items)});
}

void addDevice(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    if (run.study.figures()->peakBytes == 0)
        return;
    const DeviceStudy& study = *run.study.device();
    if (material.isPullRequest()) {
        blocks.push_back(sitesAtPeak(run, material.mostRows()));
        return;
    }
    blocks.push_back(reportFigure(idFor(run, "composition"),
        captioned(run,
            fmt::format("What was alive at the peak, {}: each bar is a call site, its colours are categories",
                momentWords(study, peakEvent(run)))),
        run.study.name(),
        [&](const FigureOptions& sheet) { return compositionFigure(study, peakEvent(run), false, sheet); }));
    blocks.push_back(sitesAtPeak(run, material.mostRows()));
    blocks.push_back(categoriesAtPeak(run));
    blocks.push_back(stacks(run, std::max<std::size_t>(material.mostRows() / 2, 2)));
    blocks.push_back(sizes(run, std::max<std::size_t>(material.mostRows() / 2, 2)));
    addLevels(blocks, run);
}

ReportCell failureCell(const RankDevice& device)
{
    if (device.ooms == 0)
        return {};
    return device.ooms == 1 ? "at event " + formatCount(device.firstOom)
                            : fmt::format("{} times", formatCount(device.ooms));
}

void addRanks(std::vector<ReportBlock>& blocks, const RunMaterial& run)
{
    if (!run.study.ranks())
        return;
    ReportTable table{idFor(run, "ranks"), captioned(run, "The ranks of the run beside each other"),
        {{"Rank", "rank", false}, {"File", "file", false}, {"Device", "device", false},
            {"Peak", "peak_bytes", true}, {"Counts", "quantity", false},
            {"Above the median", "above_median_bytes", true}, {"At event", "peak_event", true},
            {"Reserved at most", "reserved_peak_bytes", true}, {"Out of memory", "out_of_memory", false}},
        {}, {}, {}};
    for (const RankRow& row : run.study.ranks()->rows) {
        const RankFile& file = *run.study.ranks()->files[row.file];
        const RankDevice* device = run.study.ranks()->deviceOf(row);
        if (!device) {
            table.rows.push_back({rankName(*run.study.ranks(), row), file.member.fileName(),
                textCell(file.error), {}, {}, {}, {}, {}, {}});
            continue;
        }
        table.rows.push_back(
            {rankName(*run.study.ranks(), row) + (row.outlier ? " (stands out)" : ""), file.member.fileName(),
                device->label, bytesCell(device->peakBytes), std::string(inWords(device->quantity)),
                row.group == RankRow::kNone ? ReportCell() : deltaCell(row.aboveMedian),
                eventCell(device->peakEvent), bytesCell(device->reservedPeakBytes), failureCell(*device)});
    }
    blocks.push_back(std::move(table));
}

ReportCell valueCell(const CounterSeries& series, double value)
{
    return series.unit == "bytes" ? bytesCell(wholeBytes(value)) : ReportCell(valueText(series, value));
}

/// What a log measured; figures of memory first.
void addSeries(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    std::vector<const CounterSeries*> order;
    for (const CounterSeries& series : run.trace().counters)
        order.push_back(&series);
    std::stable_partition(
        order.begin(), order.end(), [](const CounterSeries* s) { return s->unit == "bytes"; });
    ReportTable table{idFor(run, "series"), captioned(run, "What the log measured"),
        {{"Series", "key", false}, {"Points", "points", true}, {"First", "first", true},
            {"Last", "last", true}, {"Smallest", "smallest", true}, {"Largest", "largest", true},
            {"At step", "largest_step", true}},
        {}, {}, {}};
    std::size_t left = 0;
    for (const CounterSeries* series : order) {
        const std::optional<SeriesFigures> figures = seriesFigures(*series);
        if (!figures)
            continue;
        if (table.rows.size() == material.mostRows()) {
            ++left;
            continue;
        }
        table.rows.push_back({seriesTitle(*series), countCell(static_cast<std::int64_t>(figures->points)),
            valueCell(*series, figures->first), valueCell(*series, figures->last),
            valueCell(*series, figures->smallest), valueCell(*series, figures->largest),
            figures->largestStep == CounterSeries::kNoStep ? ReportCell() : countCell(figures->largestStep)});
    }
    if (left > 0)
        table.leftOut = fmt::format("and {} more series", left);
    if (!table.rows.empty())
        blocks.push_back(std::move(table));
}

} // namespace

std::vector<ReportBlock> peakPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    for (const RunMaterial* run : material.runs()) {
        if (run->study.figures())
            addDevice(blocks, material, *run);
        else if (!material.logs)
            addSeries(blocks, material, *run);
        addRanks(blocks, *run);
    }
    return blocks;
}

} // namespace highwater
