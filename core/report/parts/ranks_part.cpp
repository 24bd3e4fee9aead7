#include <algorithm>

#include "core/analysis/ranks/run_rank_sentences.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/figure/ranks/rank_heat_figure.h"
#include "core/report/parts/part_figures.h"
#include "core/report/parts/part_text.h"
#include "core/report/parts/parts.h"
#include "core/table/run_rank_tables.h"

namespace highwater {

namespace {

/// Height of the map: a few ranks need only a low one.
int mapHeight(const RunRanks& ranks)
{
    constexpr std::size_t heightWithoutRanks = 190;
    constexpr std::size_t rankHeight = 24;
    const std::size_t height = heightWithoutRanks + rankHeight * ranks.ranks.size();
    return static_cast<int>(std::min<std::size_t>(height, kFigureHeight));
}

/// Adds the first rows of a table; nothing if it is empty.
void addTable(
    std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run, Table table)
{
    if (table.rows.empty())
        return;
    cutRows(table, material.maxRows(), "rows");
    blocks.push_back(tableOfRun(run, std::move(table)));
}

/// True if a finding has the sentence as its title.
bool isFinding(const RunMaterial& run, const std::string& sentence)
{
    return std::ranges::any_of(
        run.study.findings(), [&](const Finding& finding) { return sentence.starts_with(finding.title); });
}

/// True for a sentence on a setting that differs; the table of settings has it.
bool isOnSetting(const std::string& sentence)
{
    return contains(sentence, " differs: ") || sentence.ends_with("differ, too.");
}

/// True for a sentence on how the ranks were recognized rather than on their memory.
bool isOnDetection(const std::string& sentence)
{
    return namesDetection(sentence) || sentence.starts_with("Pipeline stages differ by design");
}

/// Returns the ranks in the order of `ranksByImportance`. Two ranks have no column about the median, which
/// says nothing of two. A brief report has only the columns that tell ranks apart and fit on a page.
Table tableOfRanks(const RunRanks& ranks, bool isBrief)
{
    Table table = withRows(runRankTable(ranks), ranksByImportance(ranks));
    table = withoutColumns(withoutEmptyColumns(table), {"quantity", "device"});
    if (isBrief)
        table = withoutColumns(std::move(table), {"free_at_peak_bytes", "steps", "file"});
    return ranks.ranks.size() > 2 ? table : withoutColumns(std::move(table), {"above_median_bytes"});
}

void addRankSentences(
    std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    std::vector<std::string> sentences = run.ranks->sentences;
    if (material.hasPart(ReportPart::Findings))
        std::erase_if(sentences, [&](const std::string& sentence) { return isFinding(run, sentence); });
    std::erase_if(sentences, repeatsDiagnosis);
    std::erase_if(sentences, isOnSetting);
    if (material.isBrief())
        std::erase_if(sentences, isOnDetection);
    const std::size_t most = material.maxRows();
    if (sentences.size() > most) {
        const std::size_t more = sentences.size() - most;
        sentences.resize(most);
        sentences.push_back(fmt::format(
            "The command highwater ranks prints {}.", counted(more, "more sentence", "more sentences")));
    }
    if (!sentences.empty())
        blocks.push_back(ReportList{std::move(sentences)});
}

/// True for two files of unknown rank: two runs rather than two ranks, which a table of ranks cannot compare.
bool isPairOfRuns(const RunRanks& ranks)
{
    return ranks.table.files.size() == 2 && std::ranges::none_of(ranks.table.files, [](const auto& file) {
        return file->member.rank.has_value();
    });
}

void addRanksOfRun(std::vector<ReportBlock>& blocks, const ReportMaterial& material, const RunMaterial& run)
{
    const RunRanks& ranks = *run.ranks;
    if (isPairOfRuns(ranks)) {
        blocks.push_back(
            quiet("Two files of unknown rank are not compared as ranks. If they are two runs, use "
                  "highwater diff, or report with --before."));
        return;
    }
    if (material.hasTwoRuns())
        blocks.push_back(quiet(captioned(run, run.study.name())));
    addRankSentences(blocks, material, run);
    if (!ranks.heat.steps.empty())
        blocks.push_back(reportFigure(
            idFor(run, "rank-map"), captioned(run, "The peak of each rank in each step"), run.study.name(),
            [&](const FigureOptions& sheet) { return rankHeatFigure(ranks, sheet); }, mapHeight(ranks)));
    addTable(blocks, material, run, tableOfRanks(ranks, material.isBrief()));
    addTable(blocks, material, run, withoutEmptyColumns(rankFailureTable(ranks)));
    addTable(blocks, material, run, rankLeakTable(ranks));
    addTable(blocks, material, run, rankSettingTable(ranks));
    addTable(blocks, material, run, rankTroubleTable(ranks));
    if (!material.isBrief())
        addTable(blocks, material, run, rankGroupTable(ranks));
}

} // namespace

std::vector<ReportBlock> ranksPart(const ReportMaterial& material)
{
    std::vector<ReportBlock> blocks;
    for (const RunMaterial* run : material.runs())
        if (run->ranks)
            addRanksOfRun(blocks, material, *run);
    return blocks;
}

} // namespace highwater
