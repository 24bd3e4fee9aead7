#include "app/cli/agent/tool_commands.h"

#include <algorithm>

#include "app/cli/commands/commands.h"
#include "app/cli/commands/rank_commands.h"
#include "app/cli/console/output.h"
#include "app/cli/console/refusal.h"
#include "app/cli/input/arguments.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

constexpr std::size_t kDefaultTop = 10;

/// Runs a command and returns the document that it prints, null if none, with its messages on standard error.
template <typename Options>
ToolDocument documentOf(int (*run)(const Options&), const Options& options)
{
    CapturedOutput captured;
    run(options);
    Json document = parseOrderedJson(captured.out);
    if (document.is_discarded())
        document = nullptr;
    return {std::move(document), std::move(captured.err)};
}

std::string resolvedPath(const ToolContext& context, const std::string& path)
{
    const Result<std::string> file = context.folders.resolve(path);
    if (!file)
        throw Refusal{"", file.error()};
    return *file;
}

/// Returns the options of a command for these paths, without links, and for the rank of a call.
CommonOptions optionsForFiles(
    const ToolContext& context, const ToolArguments& arguments, const std::vector<std::string>& paths)
{
    CommonOptions common = context.common;
    common.rank = arguments.number("rank");
    for (const std::string& path : paths)
        common.files.push_back(resolvedPath(context, path));
    return common;
}

/// Returns the number of rows that a call requests, else the default.
std::size_t topOf(const ToolArguments& arguments)
{
    return static_cast<std::size_t>(arguments.number("top").value_or(std::int64_t{kDefaultTop}));
}

/// Returns the size; nullopt if the argument is missing. Ends the call if the size has no unit.
std::optional<Bytes> sizeArgument(const ToolArguments& arguments, const char* name)
{
    const std::optional<std::string> text = arguments.text(name);
    if (!text)
        return std::nullopt;
    const std::optional<Bytes> bytes = parseSize(*text);
    if (!bytes || !hasSizeUnit(*text))
        refuse(name, "takes a size with its unit, such as 20GiB");
    return bytes;
}

} // namespace

CommonOptions optionsForRun(const ToolContext& context, const ToolArguments& arguments)
{
    return optionsForFiles(context, arguments, arguments.texts("files"));
}

ToolDocument runOpenTool(const ToolContext& context, const ToolArguments& arguments)
{
    InfoOptions options;
    options.common = optionsForRun(context, arguments);
    return documentOf(runInfo, options);
}

ToolDocument runPeaksTool(const ToolContext& context, const ToolArguments& arguments)
{
    PeaksOptions options;
    options.common = optionsForRun(context, arguments);
    options.device = arguments.text("device");
    options.at = arguments.moment("at");
    options.step = arguments.number("step");
    if (options.at && options.step)
        refuse("step", "cannot be combined with at");
    options.group = arguments.textOr("group", "site");
    options.quantity = arguments.textOr("quantity", "");
    options.top = topOf(arguments);
    return documentOf(runPeaks, options);
}

ToolDocument runFindingsTool(const ToolContext& context, const ToolArguments& arguments)
{
    FindingsOptions options;
    options.common = optionsForRun(context, arguments);
    options.device = arguments.text("device");
    ToolDocument result = documentOf(runFindings, options);
    // The command keeps its order by grade and bytes; an agent reads the first rows only.
    if (result.document.is_object()) {
        Json& rows = result.document["findings"];
        std::stable_sort(
            rows.begin(), rows.end(), [](const Json& a, const Json& b) { return a["rank"] < b["rank"]; });
    }
    return result;
}

ToolDocument runCompareTool(const ToolContext& context, const ToolArguments& arguments)
{
    DiffOptions options;
    options.common
        = optionsForFiles(context, arguments, {arguments.needText("before"), arguments.needText("after")});
    options.beforeDevice = arguments.text("device_before");
    options.afterDevice = arguments.text("device_after");
    options.atBefore = arguments.moment("at_before");
    options.atAfter = arguments.moment("at_after");
    options.align = arguments.textOr("align", "");
    options.group = arguments.textOr("group", "site");
    return documentOf(runDiff, options);
}

ToolDocument runSegmentsTool(const ToolContext& context, const ToolArguments& arguments)
{
    SegmentsOptions options;
    options.common = optionsForRun(context, arguments);
    options.device = arguments.text("device");
    options.at = arguments.moment("at");
    options.address = arguments.text("address");
    options.top = topOf(arguments);
    return documentOf(runSegments, options);
}

ToolDocument runWhatIfTool(const ToolContext& context, const ToolArguments& arguments)
{
    WhatIfOptions options;
    options.common = optionsForRun(context, arguments);
    options.device = arguments.text("device");
    options.settings = arguments.texts("settings");
    options.removedSites = arguments.texts("remove_sites");
    return documentOf(runWhatIf, options);
}

ToolDocument runFigureTool(const ToolContext& context, const ToolArguments& arguments)
{
    FigureCommandOptions options;
    options.common = optionsForRun(context, arguments);
    options.common.json = false;
    options.device = arguments.text("device");
    options.kind = arguments.needText("kind");
    options.range = arguments.textOr("range", "");
    options.at = arguments.moment("at");
    options.group = arguments.textOr("group", "");
    options.size = arguments.textOr("size", options.size);
    options.dark = arguments.flag("dark");
    options.out = "-";
    CapturedOutput captured;
    runFigure(options);
    return {{{"kind", options.kind}, {"bytes", captured.out.size()}, {"svg", captured.out}},
        std::move(captured.err)};
}

ToolDocument runRanksTool(const ToolContext& context, const ToolArguments& arguments)
{
    RanksOptions options;
    options.common = optionsForRun(context, arguments);
    options.steps = arguments.flag("steps");
    return documentOf(runRanks, options);
}

ToolDocument runCheckTool(const ToolContext& context, const ToolArguments& arguments)
{
    CheckOptions options;
    options.common = optionsForRun(context, arguments);
    options.device = arguments.text("device");
    options.maxPeak = sizeArgument(arguments, "max_peak");
    options.maxReserved = sizeArgument(arguments, "max_reserved");
    options.maxGrowthPerStep = sizeArgument(arguments, "max_growth_per_step");
    if (const auto baseline = arguments.text("baseline"))
        options.baseline = resolvedPath(context, *baseline);
    if (const auto increase = arguments.text("max_peak_increase")) {
        options.maxPeakIncreasePercent = percentFromText(*increase);
        if (!options.maxPeakIncreasePercent)
            refuse("max_peak_increase", "takes a number and %, such as 5%");
    }
    return documentOf(runCheck, options);
}

ToolDocument runBudgetTool(const ToolContext& context, const ToolArguments& arguments)
{
    BudgetOptions options;
    options.common = optionsForRun(context, arguments);
    options.config = resolvedPath(context, arguments.needText("config"));
    options.device = arguments.text("device");
    options.gpuNames = arguments.texts("gpus");
    options.whatIf = arguments.texts("what_if");
    return documentOf(runBudget, options);
}

} // namespace highwater::cli
