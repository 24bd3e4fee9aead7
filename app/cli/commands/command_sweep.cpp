#include "app/cli/commands/commands.h"

#include <vector>

#include <fmt/format.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/loading/run/sweep_file.h"
#include "core/analysis/sweep/run_sweep.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/table/category_columns.h"
#include "core/table/sweep_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

Json runJson(const SweepRow& row)
{
    const SweepRun& run = row.run;
    if (!run.isReadable())
        return {{"path", run.path}, {"name", row.name}, {"error", run.error}};
    Json categories = Json::object();
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        categories[std::string(toText(static_cast<Category>(i)))] = run.categories[i];
    return {{"path", run.path}, {"name", row.name}, {"device", run.device},
        {"quantity", toText(run.quantity)}, {"inferred", run.isInferred}, {"incomplete", run.isIncomplete},
        {"events", run.eventCount}, {"peak_bytes", run.peakBytes}, {"peak_event", run.peakEvent},
        {"peak_step", run.peakStep.empty() ? Json(nullptr) : Json(run.peakStep)},
        {"peak_phase", run.peakPhase == Phase::Unknown ? Json(nullptr) : Json(toText(run.peakPhase))},
        {"reserved_peak_bytes", orNull(run.reservedPeakBytes)}, {"delta_bytes", orNull(row.deltaBytes)},
        {"ooms", run.oomCount}, {"categories", std::move(categories)}, {"outline", run.outline}};
}

/// Prints `{"quantity", "inferred", "runs": […], "settings": […]}`, with the runs in the order of `rows`.
void printSweepJson(const RunSweep& sweep, const std::vector<std::size_t>& rows)
{
    Json document = {{"quantity", toText(sweep.quantity)}, {"inferred", sweep.isInferred},
        {"runs", Json::array()}, {"settings", Json::array()}};
    for (const std::size_t row : rows)
        document["runs"].push_back(runJson(sweep.rows[row]));
    for (const SettingOfRuns& setting : sweep.settings) {
        Json values = Json::array();
        for (const std::size_t row : rows)
            values.push_back(orNull(setting.values[row]));
        document["settings"].push_back({{"name", setting.name}, {"values", std::move(values)}});
    }
    printDocument(document);
}

/// Prints for people: one row per run with its curve in block characters, the categories at the peaks, the
/// settings.
void printSweep(const RunSweep& sweep, const std::vector<std::size_t>& rows)
{
    Table runs = withRows(sweepTable(sweep), rows);
    Table categories = withoutColumns(
        runs, [](const TableColumn& column) { return column.key != "name" && !isCategoryColumn(column); });
    runs = withoutColumns(std::move(runs), isCategoryColumn);
    runs.caption
        = fmt::format("{} runs, {} bytes{}", formatCount(std::ssize(sweep.rows)), inWords(sweep.quantity),
            sweep.isInferred ? " (for some runs inferred by the allocator's rounding rule)" : "");
    printTable(runs);
    for (const std::string& sentence : sweepSentences(sweep))
        printOut("{}\n", sentence);
    categories.caption = "At the peak";
    printOut("\n");
    printTable(categories);
    if (sweep.settings.empty())
        return;
    printOut("\n");
    printTable(sweepValueTable(sweep, rows));
}

/// The figures of a file, and its exit code.
struct FileFigures
{
    SweepRun run;
    int exitCode = Done;
};

/// Loads one file, computes its figures and drops it. A `quantity` replaces the file's own.
FileFigures figuresOfFile(const std::string& path, const CommonOptions& options,
    const std::vector<CategoryRule>& rules, std::optional<Quantity> quantity)
{
    const LoadedInput input = loadInput(path, options);
    const Result<SweepRun> run = sweepRun(path, input.imported, rules, quantity);
    if (run)
        return {*run, exitCodeOf(input)};
    if (input.imported)
        printError(path, run.error());
    return {unreadableRun(path, run.error()), exitCodeOf(run.error())};
}

/// True if an option is about one side of a comparison of two runs.
bool namesOneOfTwoRuns(const DiffOptions& options)
{
    return options.choosesDeviceOrMoment() || !options.beforeConfig.empty() || !options.afterConfig.empty();
}

} // namespace

int runSweep(const DiffOptions& options)
{
    if (namesOneOfTwoRuns(options))
        refuse("diff", "options for BEFORE and AFTER need exactly two files");
    const std::vector<CategoryRule> rules = rulesFrom(options.rules);
    std::vector<SweepRun> runs;
    int exitCode = Done;
    for (const std::string& path : options.common.files) {
        FileFigures next = figuresOfFile(path, options.common, rules, std::nullopt);
        exitCode = worse(exitCode, next.exitCode);
        runs.push_back(std::move(next.run));
        if (exitCode == Interrupted)
            return exitCode;
    }
    const std::optional<Quantity> common = commonQuantity(runs);
    if (!common)
        refuse("diff", "the files count different bytes and cannot be compared");
    // Only files that count another quantity are read twice. No file is kept while the next one is read.
    for (SweepRun& run : runs)
        if (run.isReadable() && run.quantity != *common)
            run = figuresOfFile(run.path, options.common, rules, common).run;
    const RunSweep sweep = compareSweep(std::move(runs));
    const std::vector<std::size_t> rows
        = sortedRows(sweep, sweepOrderFromText(options.sort).value_or(SweepOrder::Given));
    if (options.common.json)
        printSweepJson(sweep, rows);
    else
        printSweep(sweep, rows);
    return exitCode;
}

} // namespace highwater::cli
