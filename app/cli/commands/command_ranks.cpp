#include "app/cli/commands/rank_commands.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "app/cli/commands/figure_output.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/run_diagnosis.h"
#include "app/cli/output/run_ranks_json.h"
#include "app/loading/run/rank_files.h"
#include "core/analysis/ranks/run_rank_sentences.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/svg_writer.h"
#include "core/figure/ranks/rank_heat_figure.h"
#include "core/report/json/diagnosis_json.h"
#include "core/study/run_study.h"
#include "core/table/run_rank_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Maximum number of rows in each table below the table of ranks; further rows are only counted.
constexpr std::size_t kMaxRows = 20;

FigureOptions heatMapOptions(const RanksOptions& options)
{
    FigureOptions sheet;
    sheet.dark = options.dark;
    setSize(sheet, "ranks", options.size);
    return sheet;
}

RunRanks mergeRanks(const RanksOptions& options, const std::vector<std::string>& paths)
{
    TerminalProgress progress(counted(paths.size(), "file", "files"), options.common.quiet);
    RankFilesOptions files;
    files.load.maxMemoryBytes = options.common.maxMemoryBytes;
    files.load.maxInflateBytes = options.common.maxInflateBytes;
    files.load.progress = progress.sink();
    files.load.stop = interruptToken();
    files.trouble = [&](const std::string& path, const Error& error) {
        progress.wipe(); // not cleared: the sink is still in use
        if (error.code != ErrorCode::UnknownFormat) // such as a README in the folder
            printError(path, error);
    };
    RunRanks run = need("ranks", mergeRankFiles(paths, files));
    progress.clear();
    return run;
}

void printPartTable(Table table)
{
    if (table.rows.empty())
        return;
    cutRows(table, kMaxRows, "rows");
    printOut("\n");
    printTable(table);
}

void printRanks(const RunRanks& run, const RunStudy* mainRank, std::size_t top)
{
    if (mainRank)
        printOut("{}\n", sanitizedText(mainRank->diagnosis().sentence));
    for (const std::string& sentence : run.sentences)
        if (!mainRank || !repeatsDiagnosis(sentence))
            printOut("{}\n", sentence);
    if (!run.ranks.empty()) {
        Table ranks = withRows(runRankTable(run), ranksByImportance(run));
        if (top > 0)
            cutRows(ranks, top, "ranks");
        printOut("\n");
        printTable(withoutColumns(std::move(ranks), {"quantity", "device"}));
    }
    printPartTable(rankGroupTable(run));
    printPartTable(rankFailureTable(run));
    printPartTable(rankLeakTable(run));
    printPartTable(rankSettingTable(run));
    printPartTable(rankTroubleTable(run));
}

/// Returns the names of the logs in which the study found something.
std::set<std::string> usedLogs(const RunStudy& study)
{
    std::set<std::string> names;
    for (const RunLog& log : study.logs())
        if (!log.trace->logEvents.empty() || !log.trace->counters.empty())
            names.insert(log.name);
    return names;
}

int exitCodeOfRanks(const RunRanks& run)
{
    int exitCode = Done;
    for (const RankTrouble& trouble : run.troubles)
        if (trouble.kind == RankTrouble::Kind::Damaged)
            exitCode = worse(exitCode, CannotRead);
    for (const MergedRank& rank : run.ranks)
        if (rank.cutOff)
            exitCode = worse(exitCode, Incomplete);
    return run.ranks.empty() ? worse(exitCode, CannotRead) : exitCode;
}

} // namespace

int runRanks(const RanksOptions& options)
{
    const FigureOptions sheet = heatMapOptions(options);
    if (options.out == "-" && options.common.json)
        refuse("ranks", "prints the map or JSON, not both on standard output");
    const std::vector<std::string> paths = need("ranks", rankPaths(options.common.files));
    RunRanks run = mergeRanks(options, paths);
    if (!options.out.empty()) {
        OutputFile out = OutputFile::need(options.out, options.force, paths);
        out.write(toSvg(rankHeatFigure(run, sheet)));
        need(options.out, out.commit());
    }
    const bool isReported = std::ranges::any_of(
        run.troubles, [](const RankTrouble& trouble) { return trouble.kind == RankTrouble::Kind::Damaged; });
    if (run.ranks.empty() && !isReported)
        printError(options.common.files.front(), noKnownFormatError());
    if (options.out == "-" && !options.common.json)
        return exitCodeOfRanks(run);
    const std::shared_ptr<const RunStudy> mainRank = studyOfMainRank(options.common, run);
    if (mainRank)
        tellUsedLogs(run, usedLogs(*mainRank));
    if (options.common.json) {
        Json document = runRanksJson(run, options.steps);
        putDiagnosisFirst(document, mainRank ? diagnosisJson(mainRank->diagnosis()) : Json(nullptr));
        printDocument(document);
    } else {
        printRanks(run, mainRank.get(), options.top);
    }
    return exitCodeOfRanks(run);
}

} // namespace highwater::cli
