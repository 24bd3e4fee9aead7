#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/diff/log_diff_text.h"
#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text_format.h"
#include "core/figure/series_pair_figure.h"
#include "core/figure/waterfall_figure.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_tables.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"

namespace highwater {

namespace {

constexpr std::size_t kMostHints = 8;

void addSentences(std::vector<ReportBlock>& blocks, std::vector<std::string> sentences)
{
    if (!sentences.empty())
        blocks.push_back(ReportList{std::move(sentences)});
}

/// As high as its bars need; in a pull request a few of them do.
int waterfallHeight(const ReportMaterial& material)
{
    constexpr int around = 160;
    constexpr int bar = 26;
    const std::size_t most = material.isPullRequest() ? 5 : 9;
    const std::size_t bars = waterfallBars(material.devices->bySite.diff, most).size();
    return std::min(around + bar * static_cast<int>(bars), kFigureHeight);
}

ReportFigure waterfall(const ReportMaterial& material)
{
    const auto moment = [](const RunMaterial& run) {
        return fmt::format("the peak ({})", momentWords(*run.study.device(), run.study.figures()->peakEvent));
    };
    const WaterfallTexts texts{moment(*material.before), moment(material.run), "call site"};
    return reportFigure(
        "waterfall",
        fmt::format("From the peak before to the peak after, by call site, {}",
            quantityWords(*material.run.study.device())),
        bothNames(material),
        [&](const FigureOptions& sheet) {
            return waterfallFigure(material.devices->bySite.diff, texts, sheet);
        },
        waterfallHeight(material));
}

ReportTable categoryTable(const ReportMaterial& material)
{
    return diffTable("change-categories",
        fmt::format("The same by category; {}", quantityWords(*material.run.study.device())), "Category",
        material.devices->byCategory, kCategoryCount, [](const DiffRow& row) {
            const std::optional<Category> category = categoryFromText(row.key);
            return category ? std::string(titleOf(*category)) : row.key;
        });
}

ReportTable siteTable(const ReportMaterial& material)
{
    return diffTable("change-sites",
        fmt::format("What was alive at both peaks, by call site; rows sum to the totals; {}",
            quantityWords(*material.run.study.device())),
        "Call site", material.devices->bySite.diff, material.mostRows(),
        [&](const DiffRow& row) { return material.isPullRequest() ? rowLabel(row) : row.key; });
}

/// What the sizes say of why rows changed.
std::vector<std::string> causes(const DiffFindings& found)
{
    std::vector<std::string> sentences;
    if (found.causes.factors.why != SizeSilence::NoChange || !found.replacements.empty())
        sentences = legendSentences(found.causes.factors);
    for (std::size_t i = 0; i < std::min(kMostHints, found.replacements.size()); ++i)
        sentences.push_back(found.replacements[i]);
    for (const std::string& sentence : copySentences(found.causes))
        sentences.push_back(sentence);
    return sentences;
}

std::vector<ReportBlock> ofDevices(const ReportMaterial& material)
{
    const DiffFindings& found = material.devices->bySite;
    std::vector<ReportBlock> blocks;
    if (!material.isPullRequest())
        addSentences(blocks, found.verdict.details);
    blocks.push_back(waterfall(material));
    blocks.push_back(siteTable(material));
    if (material.isPullRequest())
        return blocks;
    addSentences(blocks, causes(found));
    blocks.push_back(categoryTable(material));
    return blocks;
}

ReportCell valueCell(const SeriesPair& pair, const CounterSeries& series, double value)
{
    return pair.isBytes ? bytesCell(wholeBytes(value)) : ReportCell(valueText(series, value));
}

ReportCell stepCell(std::int64_t step)
{
    return step == CounterSeries::kNoStep ? ReportCell() : countCell(step);
}

ReportTable seriesTable(const ReportMaterial& material)
{
    ReportTable table{"series", "Series that both logs have: the largest value of each",
        {{"Series", "key", false}, {"Before", "before_largest", true}, {"At step", "before_step", true},
            {"After", "after_largest", true}, {"At step", "after_step", true},
            {"Difference", "delta_largest", true}},
        {}, {}, {}};
    const LogDiff& diff = *material.logs;
    const std::size_t shown = std::min(material.mostRows(), diff.series.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const SeriesPair& pair = diff.series[i];
        const CounterSeries& before = material.before->trace().counters[pair.before];
        const double delta = pair.afterFigures.largest - pair.beforeFigures.largest;
        table.rows.push_back({seriesTitle(before), valueCell(pair, before, pair.beforeFigures.largest),
            stepCell(pair.beforeFigures.largestStep), valueCell(pair, before, pair.afterFigures.largest),
            stepCell(pair.afterFigures.largestStep),
            pair.isBytes
                ? deltaCell(wholeBytes(pair.afterFigures.largest) - wholeBytes(pair.beforeFigures.largest))
                : ReportCell(valueDeltaText(before, delta))});
    }
    if (shown < diff.series.size())
        table.leftOut = fmt::format("and {} more series", diff.series.size() - shown);
    return table;
}

std::vector<ReportBlock> ofLogs(const ReportMaterial& material)
{
    const LogDiff& diff = *material.logs;
    std::vector<ReportBlock> blocks;
    addSentences(blocks, diff.verdict.details);
    if (diff.compared && diff.series[*diff.compared].isDrawable())
        blocks.push_back(reportFigure("series-pair",
            "The memory that both logs tell, over each other; dashed lines: where memory ran out, and the "
            "capacity",
            bothNames(material), [&](const FigureOptions& sheet) {
                return seriesPairFigure(
                    {material.before->trace(), material.run.trace(), diff.series[*diff.compared],
                        material.before->study.name(), material.run.study.name()},
                    sheet);
            }));
    if (!diff.series.empty())
        blocks.push_back(seriesTable(material));
    if (diff.onlyBefore + diff.onlyAfter > 0)
        blocks.push_back(quiet(fmt::format("{} of the log before and {} of the log after have no equal.",
            counted(static_cast<std::int64_t>(diff.onlyBefore), "series", "series"),
            counted(static_cast<std::int64_t>(diff.onlyAfter), "series", "series"))));
    return blocks;
}

} // namespace

std::vector<ReportBlock> comparisonPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    if (material.devices)
        blocks = ofDevices(material);
    else if (material.logs)
        blocks = ofLogs(material);

    return blocks;
}

} // namespace highwater
