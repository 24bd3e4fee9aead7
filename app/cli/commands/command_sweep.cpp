#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/console/exit_code.h"
#include "app/cli/input/rules_option.h"
#include "app/cli/output/sweep_output.h"
#include "app/loading/sweep_file.h"

namespace highwater::cli {

namespace {

/// A file in figures, and the exit code that it gives.
struct Figured
{
    SweepRun run;
    int exitCode = Done;
};

/// Loads one file and gives it up again. With a quantity, its allocations are counted in it.
Figured figured(const std::string& path, const CommonOptions& options, const std::vector<CategoryRule>& rules,
    std::optional<Quantity> quantity)
{
    const LoadedInput input = loadInput(path, options);
    const Result<SweepRun> run = sweepRun(path, input.imported, rules, quantity);
    if (run)
        return {*run, exitCodeOf(input)};
    if (input.imported)
        printError(path, run.error());
    return {unreadableRun(path, toText(run.error())), exitCodeOf(run.error())};
}

/// Options that name one of two runs.
bool asksForTwo(const DiffOptions& options)
{
    return options.beforeDevice || options.afterDevice || options.beforeEvent || options.afterEvent
        || !options.beforeConfig.empty() || !options.afterConfig.empty();
}

int usageError(std::string message)
{
    printError("diff", {ErrorCode::BadRequest, std::move(message), {}});
    return WrongUsage;
}

} // namespace

int runSweep(const DiffOptions& options)
{
    if (asksForTwo(options))
        return usageError("takes options for BEFORE and AFTER with two files only");
    const Result<std::vector<CategoryRule>> rules = rulesFrom(options.rules);
    if (!rules)
        return rulesError(options.rules, rules.error());
    std::vector<SweepRun> runs;
    int exitCode = Done;
    for (const std::string& path : options.common.files) {
        Figured next = figured(path, options.common, *rules, std::nullopt);
        exitCode = worse(exitCode, next.exitCode);
        runs.push_back(std::move(next.run));
        if (exitCode == Interrupted)
            return exitCode;
    }
    const std::optional<Quantity> common = commonQuantity(runs);
    if (!common)
        return usageError("the files count different bytes, which cannot be set against each other");
    // Only files of different kinds are read twice; none is kept while the next one is read.
    for (SweepRun& run : runs)
        if (run.isReadable() && run.quantity != *common)
            run = figured(run.path, options.common, *rules, common).run;
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
