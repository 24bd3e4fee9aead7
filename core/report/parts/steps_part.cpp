#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/analysis/composition/step_figures.h"
#include "core/base/text_format.h"
#include "core/figure/step_pairs_figure.h"
#include "core/figure/steps_figure.h"
#include "core/report/parts/note_places.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

namespace {

/// Indices of the rows that are shown, ascending: all where that are few more than `most`, or the first of
/// them and those with the highest peaks.
template <typename Peak>
std::vector<std::size_t> shownRows(std::size_t count, std::size_t most, const Peak& peakOf)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (count <= most + most / 4)
        return order;
    const auto first = static_cast<std::ptrdiff_t>(most / 2);
    std::stable_sort(order.begin() + first, order.end(),
        [&](std::size_t a, std::size_t b) { return peakOf(a) > peakOf(b); });
    order.resize(most);
    std::ranges::sort(order);
    return order;
}

std::string leftOutText(std::size_t all, std::size_t shown)
{
    return all == shown ? std::string()
                        : fmt::format("and {} with lower peaks",
                            counted(static_cast<std::int64_t>(all - shown), "more step", "more steps"));
}

std::vector<std::size_t> categoriesThatOccur(const std::vector<CategoryBytes>& bytes)
{
    std::vector<std::size_t> some;
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        if (std::ranges::any_of(bytes, [=](const CategoryBytes& step) { return step[category] > 0; }))
            some.push_back(category);
    return some;
}

ReportTable stepTable(const RunMaterial& run, std::size_t mostRows)
{
    const DeviceStudy& study = *run.study.device();
    const std::vector<Step>& steps = study.steps.steps;
    const std::vector<CategoryBytes> bytes = categoriesAtPeaks(study.allocations, study.categories, steps);
    const std::vector<std::size_t> categories = categoriesThatOccur(bytes);
    ReportTable table{idFor(run, "steps"),
        captioned(
            run, fmt::format("The steps; the categories of a row sum to its peak; {}", quantityWords(study))),
        {{"Step", "name", false}, {"Peak", "peak_bytes", true}, {"At event", "peak_event", true},
            {"Phase", "phase", false}, {"At its start", "start_bytes", true},
            {"At its end", "end_bytes", true}, {"Left behind", "retained_bytes", true}},
        {}, {}, {}};
    for (const std::size_t category : categories)
        table.columns.push_back({std::string(titleOf(static_cast<Category>(category))),
            fmt::format("{}_bytes", toText(static_cast<Category>(category))), true});
    const auto shown = shownRows(steps.size(), mostRows, [&](std::size_t i) { return steps[i].peakBytes; });
    for (const std::size_t i : shown) {
        const Step& step = steps[i];
        std::vector<ReportCell> row{step.name + (step.complete ? "" : " (cut off)"),
            bytesCell(step.peakBytes), eventCell(step.peakEvent),
            step.peakPhase == Phase::Unknown ? ReportCell() : std::string(toText(step.peakPhase)),
            bytesCell(step.startBytes), bytesCell(step.endBytes), deltaCell(step.retainedBytes())};
        for (const std::size_t category : categories)
            row.push_back(bytesCell(bytes[i][category]));
        table.rows.push_back(std::move(row));
    }
    table.leftOut = leftOutText(steps.size(), shown.size());
    return table;
}

ReportTable pairTable(const ReportMaterial& material)
{
    const StepTable& before = material.before->study.device()->steps;
    const StepTable& after = material.run.study.device()->steps;
    const AlignedSteps& aligned = material.devices->runs.steps();
    ReportTable table{"step-pairs",
        fmt::format("The peaks of steps that belong together (put beside each other by {}); {}",
            toText(aligned.alignment), quantityWords(*material.run.study.device())),
        {{"Step before", "before", false}, {"Peak", "before_peak_bytes", true},
            {"Step after", "after", false}, {"Peak", "after_peak_bytes", true},
            {"Difference", "delta_bytes", true}},
        {}, {}, {}};
    const auto stepOf
        = [](const StepTable& steps, std::optional<std::size_t> i) { return i ? &steps.steps[*i] : nullptr; };
    const auto shown = shownRows(aligned.pairs.size(), material.mostRows(), [&](std::size_t i) {
        const Step* low = stepOf(before, aligned.pairs[i].before);
        const Step* high = stepOf(after, aligned.pairs[i].after);
        return std::max(low ? low->peakBytes : 0, high ? high->peakBytes : 0);
    });
    for (const std::size_t i : shown) {
        const Step* low = stepOf(before, aligned.pairs[i].before);
        const Step* high = stepOf(after, aligned.pairs[i].after);
        table.rows.push_back({low ? ReportCell(low->name) : ReportCell(),
            low ? bytesCell(low->peakBytes) : ReportCell(), high ? ReportCell(high->name) : ReportCell(),
            high ? bytesCell(high->peakBytes) : ReportCell(),
            low && high ? deltaCell(high->peakBytes - low->peakBytes) : ReportCell()});
    }
    table.leftOut = leftOutText(aligned.pairs.size(), shown.size());
    return table;
}

bool hasSteps(const RunMaterial& run)
{
    return run.study.device() && run.study.device()->steps.source != StepSource::Whole
        && !run.study.device()->steps.steps.empty();
}

void addPairs(std::vector<ReportBlock>& blocks, const ReportMaterial& material)
{
    const StepPairs pairs{material.before->study.device()->steps, material.run.study.device()->steps,
        material.devices->runs.steps(), material.run.study.device()->allocations.quantity()};
    blocks.push_back(reportFigure("step-pairs-figure", "The peak of each step, before and after side by side",
        bothNames(material), [&](const FigureOptions& sheet) {
            return stepPairsFigure(pairs, sheet,
                stepPairFlags(material.request.notes, notedDevice(*material.before),
                    notedDevice(material.run), material.devices->runs.steps()));
        }));
    blocks.push_back(pairTable(material));
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
    blocks.push_back(stepTable(run, material.mostRows()));
    blocks.push_back(quiet(captioned(run,
        fmt::format(
            "Steps {} (source {}, grade {}).", steps.reason, toText(steps.source), toText(steps.grade)))));
}

} // namespace

std::vector<ReportBlock> stepsPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    if (material.devices && hasSteps(*material.before) && hasSteps(material.run))
        addPairs(blocks, material);
    for (const RunMaterial* run : material.runs())
        if (hasSteps(*run))
            addRun(blocks, material, *run);
    return blocks;
}

} // namespace highwater
