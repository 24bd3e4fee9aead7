#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/diff/size_cause_text.h"
#include "core/base/text_format.h"
#include "core/figure/waterfall_figure.h"
#include "core/report/figures/compared_figures.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_steps.h"
#include "core/report/parts/part_tables.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/part_timelines.h"
#include "core/report/parts/parts.h"
#include "core/table/diff_tables.h"
#include "core/table/series_tables.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxHints = 8;
constexpr std::size_t kMaxSentencesOfAComparison = 4;

void addList(std::vector<ReportBlock>& blocks, std::vector<std::string> sentences)
{
    if (!sentences.empty())
        blocks.push_back(ReportList{std::move(sentences)});
}

/// Returns only a few sentences in a brief report: enough for most readers. The key figures have the peaks.
std::vector<std::string> firstSentences(const DiffVerdict& verdict, const ReportMaterial& material)
{
    std::vector<std::string> sentences
        = material.isBrief() && material.hasTwoRuns() ? verdict.detailsWithoutChange() : verdict.details;
    if (material.isBrief() && sentences.size() > kMaxSentencesOfAComparison)
        sentences.resize(kMaxSentencesOfAComparison);
    return sentences;
}

/// Returns the comparison of two moments, else of two devices.
const DeviceComparison& comparedOf(const ReportMaterial& material)
{
    return material.moments ? *material.moments : *material.devices();
}

/// Returns "from peak to peak", or "from step 2 to step 9".
std::string fromTo(const ReportMaterial& material)
{
    const SideNames names = sideNamesOf(material);
    return names.areMoments ? fmt::format("from {} to {}", names.before, names.after) : "from peak to peak";
}

/// Returns the height for the bars; a pull request shows only a few.
int waterfallHeight(const ReportMaterial& material)
{
    constexpr int heightWithoutBars = 142;
    constexpr int barHeight = 26;
    const std::size_t maxBars = material.isPullRequest() ? 5 : material.isBrief() ? 7 : 9;
    const std::size_t bars = waterfallBars(comparedOf(material).bySite.diff, maxBars).size();
    return std::min(heightWithoutBars + barHeight * static_cast<int>(bars), kFigureHeight);
}

ReportFigure waterfall(const ReportMaterial& material)
{
    const DeviceComparison& compared = comparedOf(material);
    const auto moment = [&](const DeviceStudy& study, std::int64_t event) {
        const std::string words = momentWords(study, event);
        return material.moments ? words : fmt::format("the peak ({})", words);
    };
    const WaterfallTexts texts{moment(compared.runs.before(), compared.events.before),
        moment(compared.runs.after(), compared.events.after), "call site", sideNamesOf(material)};
    return reportFigure(
        "waterfall",
        fmt::format(
            "Change {} by call site, {}", fromTo(material), quantityLabel(*material.run.study.device())),
        material.moments ? material.run.study.name() : bothNames(material),
        [&](const FigureOptions& sheet) { return waterfallFigure(compared.bySite.diff, texts, sheet); },
        waterfallHeight(material));
}

Table categoryTable(const ReportMaterial& material)
{
    Table table = diffTable(
        GroupKey::Category, comparedOf(material).byCategory, kCategoryCount, nullptr, sideNamesOf(material));
    table.id = "change-categories";
    table.caption = fmt::format("The same by category; {}", quantityLabel(*material.run.study.device()));
    return table;
}

/// Returns the table by call site. A page has room for whole keys, a pull request does not.
Table siteTable(const ReportMaterial& material)
{
    const SideNames names = sideNamesOf(material);
    Table table
        = diffTable(GroupKey::Site, comparedOf(material).bySite.diff, material.maxRows(), nullptr, names);
    table.id = "change-sites";
    table.caption = fmt::format("{}, by call site; {}",
        names.areMoments ? fmt::format("In use: {} and {}", names.before, names.after)
                         : "In use at each peak",
        quantityLabel(*material.run.study.device()));
    if (!material.isPullRequest() && !material.isBrief())
        for (TableRow& row : table.rows)
            row.front().shown.clear();
    return material.isBrief() ? withoutColumns(std::move(table), {"before_count", "after_count"}) : table;
}

/// Returns sentences on why rows changed, inferred from sizes.
std::vector<std::string> causeSentences(const DiffFindings& bySite)
{
    std::vector<std::string> sentences = legendSentences(bySite.causes.factors);
    for (std::size_t i = 0; i < std::min(kMaxHints, bySite.replacements.size()); ++i)
        sentences.push_back(bySite.replacements[i]);
    if (std::string doubtful = doubtfulCopiesText(bySite.causes); !doubtful.empty())
        sentences.push_back(std::move(doubtful));
    return sentences;
}

std::vector<ReportBlock> deviceBlocks(const ReportMaterial& material)
{
    const DiffFindings& bySite = comparedOf(material).bySite;
    std::vector<ReportBlock> blocks;
    if (!material.isPullRequest())
        addList(blocks, firstSentences(bySite.verdict, material));
    blocks.push_back(waterfall(material));
    blocks.push_back(siteTable(material));
    if (material.isBrief() && material.hasTwoRuns())
        addStepPairs(blocks, material);
    if (material.isPullRequest() || material.isBrief())
        return blocks;
    addList(blocks, causeSentences(bySite));
    blocks.push_back(categoryTable(material));
    return blocks;
}

Table largestValues(const ReportMaterial& material)
{
    Table table = withoutColumns(seriesPairTable(material.before->trace(), *material.logs()),
        {"before_first", "after_first", "before_last", "after_last"});
    cutRows(table, material.maxRows(), "series");
    return table;
}

std::vector<ReportBlock> logBlocks(const ReportMaterial& material)
{
    const LogDiff& diff = *material.logs();
    std::vector<ReportBlock> blocks;
    addList(blocks, diff.verdict.details);
    if (!material.request.options.summaryHasTimeline())
        addMainTimeline(blocks, material);
    if (!material.comparison->settings.empty() && material.isBrief())
        blocks.push_back(changedSettings(material));
    if (!diff.series.empty())
        blocks.push_back(largestValues(material));
    if (diff.onlyBefore + diff.onlyAfter > 0)
        blocks.push_back(quiet(fmt::format("{} before and {} after are in one log only.",
            counted(diff.onlyBefore, "series", "series"), counted(diff.onlyAfter, "series", "series"))));
    return blocks;
}

} // namespace

std::vector<ReportBlock> comparisonPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    if (material.moments || material.devices())
        blocks = deviceBlocks(material);
    else if (material.logs())
        blocks = logBlocks(material);

    return blocks;
}

} // namespace highwater
