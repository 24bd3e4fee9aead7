#include "app/cli/agent/tools.h"

#include <initializer_list>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/console/output.h"
#include "app/cli/console/refusal.h"
#include "core/report/figures/figure_kinds.h"

namespace highwater::cli {

namespace {

constexpr std::size_t kDefaultTop = 10;

Json property(const char* type, const char* description)
{
    return {{"type", type}, {"description", description}};
}

Json oneOf(std::initializer_list<const char*> values, const char* description)
{
    Json json = property("string", description);
    json["enum"] = Json::array();
    for (const char* value : values)
        json["enum"].push_back(value);
    return json;
}

Json wholeNumber(std::int64_t least, const char* description)
{
    Json json = property("integer", description);
    json["minimum"] = least;
    return json;
}

Json textList(const char* description, std::int64_t most)
{
    Json json = property("array", description);
    json["items"] = {{"type", "string"}};
    json["maxItems"] = most;
    return json;
}

Json topArgument(const char* description)
{
    Json json = wholeNumber(1, description);
    json["maximum"] = 10'000;
    return json;
}

const Json& fileArgument()
{
    static const Json json = property("string",
        "Path of a file, or of a folder with the files of one run, below the folders that may be read (see "
        "files)");
    return json;
}

const Json& deviceArgument()
{
    static const Json json
        = property("string", "GPU, such as 0 or cuda:0; or host (default: the one with the largest peak)");
    return json;
}

const Json& rankArgument()
{
    static const Json json = wholeNumber(0,
        "For a folder or several files: rank to read (default: the first to run out of memory, else the "
        "highest peak)");
    return json;
}

/// Makes a schema. Every tool also takes `part` and `from`, which request the rest of a long answer.
Json schemaOf(Json properties, std::vector<std::string> required = {})
{
    properties["part"] = property(
        "string", "JSON pointer of the requested part of the answer, as left_out names it (default: all)");
    properties["from"] = wholeNumber(0, "First entry of that part, as left_out's next_from names it");
    return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)},
        {"additionalProperties", false}};
}

/// Runs a command and returns the document that it prints, with its messages on standard error.
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

CommonOptions optionsForFiles(
    const ToolContext& context, const ToolArguments& arguments, const std::vector<std::string>& paths)
{
    CommonOptions common = context.common;
    common.rank = arguments.number("rank");
    for (const std::string& path : paths)
        common.files.push_back(resolvedPath(context, path));
    return common;
}

CommonOptions optionsForFile(const ToolContext& context, const ToolArguments& arguments)
{
    return optionsForFiles(context, arguments, {arguments.needText("file")});
}

std::size_t topOf(const ToolArguments& arguments)
{
    return static_cast<std::size_t>(arguments.number("top").value_or(std::int64_t{kDefaultTop}));
}

ToolDocument runOpenTool(const ToolContext& context, const ToolArguments& arguments)
{
    InfoOptions options;
    options.common = optionsForFiles(context, arguments, arguments.texts("files"));
    return documentOf(runInfo, options);
}

ToolDocument runPeaksTool(const ToolContext& context, const ToolArguments& arguments)
{
    PeaksOptions options;
    options.common = optionsForFile(context, arguments);
    options.device = arguments.text("device");
    options.at = arguments.number("at");
    options.step = arguments.number("step");
    if (options.at && options.step)
        refuse("step", "goes without at");
    options.group = arguments.textOr("group", "site");
    options.quantity = arguments.textOr("quantity", "");
    options.top = topOf(arguments);
    return documentOf(runPeaks, options);
}

ToolDocument runFindingsTool(const ToolContext& context, const ToolArguments& arguments)
{
    FindingsOptions options;
    options.common = optionsForFiles(context, arguments, arguments.texts("files"));
    options.device = arguments.text("device");
    return documentOf(runFindings, options);
}

ToolDocument runCompareTool(const ToolContext& context, const ToolArguments& arguments)
{
    DiffOptions options;
    options.common
        = optionsForFiles(context, arguments, {arguments.needText("before"), arguments.needText("after")});
    options.beforeDevice = arguments.text("device_before");
    options.afterDevice = arguments.text("device_after");
    options.beforeEvent = arguments.number("at_before");
    options.afterEvent = arguments.number("at_after");
    options.align = arguments.textOr("align", "");
    options.group = arguments.textOr("group", "site");
    return documentOf(runDiff, options);
}

ToolDocument runSegmentsTool(const ToolContext& context, const ToolArguments& arguments)
{
    SegmentsOptions options;
    options.common = optionsForFile(context, arguments);
    options.device = arguments.text("device");
    options.at = arguments.number("at");
    options.top = topOf(arguments);
    return documentOf(runSegments, options);
}

ToolDocument runWhatIfTool(const ToolContext& context, const ToolArguments& arguments)
{
    WhatIfOptions options;
    options.common = optionsForFile(context, arguments);
    options.device = arguments.text("device");
    options.settings = arguments.texts("settings");
    options.removedSites = arguments.texts("remove_sites");
    return documentOf(runWhatIf, options);
}

/// Returns the picture as text: {"kind", "bytes", "svg"}.
ToolDocument runFigureTool(const ToolContext& context, const ToolArguments& arguments)
{
    FigureCommandOptions options;
    options.common = optionsForFiles(context, arguments, arguments.texts("files"));
    options.common.json = false;
    options.device = arguments.text("device");
    options.kind = arguments.needText("kind");
    options.range = arguments.textOr("range", "");
    options.at = arguments.number("at");
    options.group = arguments.textOr("group", "");
    options.size = arguments.textOr("size", options.size);
    options.dark = arguments.flag("dark");
    options.out = "-";
    CapturedOutput captured;
    runFigure(options);
    return {{{"kind", options.kind}, {"bytes", captured.out.size()}, {"svg", captured.out}},
        std::move(captured.err)};
}

Tool openTool()
{
    return {"open",
        "Contents of files: format, devices, peak, reserved bytes, out-of-memory events, import warnings. As "
        "`highwater info --json`. Begin here. Bytes are exact; `quantity` names their kind.",
        schemaOf({{"files", textList("Files or folders of one run", 32)}}, {"files"}), runOpenTool};
}

Tool peaksTool()
{
    return {"peaks",
        "The steps of a run, and memory in use at the peak, at a step's peak or after any event, in groups "
        "that add up exactly. As `highwater peaks --json`.",
        schemaOf({{"file", fileArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"at", wholeNumber(-1, "Right after this event; -1: before the first")},
                     {"step", wholeNumber(0, "At the peak of this step")},
                     {"group",
                         oneOf({"site", "stack", "function", "file", "module", "category", "size", "stream",
                                   "pool", "allocation"},
                             "What to group by (default: site)")},
                     {"quantity", oneOf({"requested", "allocated"}, "Which bytes (default: the file's)")},
                     {"top", topArgument("Number of groups, the rest as one sum (default: 10)")}},
            {"file"}),
        runPeaksTool};
}

Tool findingsTool()
{
    return {"findings",
        "What is wrong with a run, with evidence, remedy and how it could be wrong. Grades: A follows from "
        "the data, B is a strong inference, C is a question. As `highwater findings --json`.",
        schemaOf({{"files", textList("Files of one run: snapshots, traces, logs", 32)},
                     {"device", deviceArgument()}, {"rank", rankArgument()}},
            {"files"}),
        runFindingsTool};
}

Tool compareTool()
{
    return {"compare",
        "What changed between two runs, peak against peak or at given events, in rows that sum exactly to "
        "the difference. As `highwater diff --json`.",
        schemaOf(
            {{"before", fileArgument()}, {"after", fileArgument()}, {"rank", rankArgument()},
                {"device_before", deviceArgument()}, {"device_after", deviceArgument()},
                {"at_before",
                    wholeNumber(-1, "Right after this event of the earlier run (default: its peak)")},
                {"at_after", wholeNumber(-1, "Right after this event of the later run (default: its peak)")},
                {"align",
                    oneOf({"step", "phase", "time", "event"},
                        "With a moment of one run only: how to find the same moment in the other")},
                {"group",
                    oneOf(
                        {"site", "stack", "function", "file", "module", "category", "size", "stream", "pool"},
                        "What the rows are (default: site)")}},
            {"before", "after"}),
        runCompareTool, true, false};
}

Tool segmentsTool()
{
    return {"segments",
        "The allocator's segments, free blocks and the blocks that pin them at an event (default: the last "
        "out-of-memory event, else the peak), and whether memory was fragmented or too small. As `highwater "
        "segments --json`.",
        schemaOf({{"file", fileArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"at", wholeNumber(-1, "Right after this event")},
                     {"top", topArgument("Number of pinned segments (default: 10)")}},
            {"file"}),
        runSegmentsTool};
}

Tool whatIfTool()
{
    return {"what_if",
        "Reserved memory with other allocator settings, or without the allocations of some call sites; "
        "without both, settings that help. `fidelity` shows how exact the replay is. As `highwater what-if "
        "--json`.",
        schemaOf({{"file", fileArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"settings", textList("As in PYTORCH_CUDA_ALLOC_CONF: expandable_segments=true", 16)},
                     {"remove_sites", textList("Parts of call sites whose allocations are left out", 16)}},
            {"file"}),
        runWhatIfTool};
}

Tool allocationsTool()
{
    return {"allocations",
        "Allocations that match a search, largest first, and the sum of all matches. Rows are as in "
        "`highwater export --what allocations --filter … --json`.",
        schemaOf({{"file", fileArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"filter",
                         property("string",
                             "As in the window's search: words, /regular expression/, size>=64MiB, life>100 "
                             "(events), category:activation")},
                     {"live_at", wholeNumber(-1, "Only those that are alive right after this event")},
                     {"sort", oneOf({"size", "birth"}, "Order of the rows (default: size, largest first)")},
                     {"skip", wholeNumber(0, "Number of rows to skip (default: 0)")},
                     {"top", topArgument("Number of rows (default: 10)")},
                     {"stacks", property("boolean", "Also the whole stack of each (default: no)")}},
            {"file"}),
        allocationsDocument};
}

/// Offers only the kinds of figure that need no configuration, since an agent cannot name a configuration
/// file.
Json figureKindArgument()
{
    Json json = property("string", "Which picture");
    json["enum"] = Json::array();
    for (const FigureKind& kind : figureKinds())
        if (!kind.takes(FigureKind::Configuration))
            json["enum"].push_back(kind.name);
    return json;
}

Tool figureTool()
{
    return {"figure",
        "A picture as SVG text, in pieces of the size of an answer; join `svg` of all pieces. As `highwater "
        "figure -o -`. A smaller size makes a shorter text.",
        schemaOf({{"files", textList("One file; of steps one or two; of diff and waterfall two", 2)},
                     {"kind", figureKindArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"range", property("string", "timeline: events A:B, B not included (default: all)")},
                     {"at", wholeNumber(-1, "composition, segments: right after this event")},
                     {"group", property("string", "As --group of the command")},
                     {"size", property("string", "Width and height in pixels, such as 640x360")},
                     {"dark", property("boolean", "Light on dark (default: no)")}},
            {"files", "kind"}),
        runFigureTool, false, false};
}

Tool filesTool()
{
    return {"files", "The folders that may be read, or the contents of one of them.",
        schemaOf({{"folder", property("string", "A folder (default: those that may be read)")}}),
        filesDocument, true, false};
}

} // namespace

const std::vector<Tool>& tools()
{
    static const std::vector<Tool> allTools = {filesTool(), openTool(), peaksTool(), findingsTool(),
        compareTool(), segmentsTool(), whatIfTool(), allocationsTool(), figureTool()};
    return allTools;
}

} // namespace highwater::cli
