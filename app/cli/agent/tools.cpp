#include "app/cli/agent/tools.h"

#include <initializer_list>

#include "app/cli/agent/tool_commands.h"
#include "core/report/figures/figure_kinds.h"

namespace highwater::cli {

namespace {

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

/// A moment: an event, or a time since the first event.
Json momentArgument(const char* description)
{
    Json json = wholeNumber(-1, description);
    json["type"] = {"integer", "string"};
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

const Json& pathArgument()
{
    static const Json json = property("string",
        "Path of a file, or of a folder with the files of one run, below the folders that may be read (see "
        "files)");
    return json;
}

const Json& filesArgument()
{
    static const Json json = textList("Files or folders of one run, below the folders that may be read (see "
                                      "files): snapshots, traces, logs",
        32);
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

Tool openTool()
{
    return {"open",
        "Contents of files: format, devices, peak, reserved bytes, out-of-memory events, import warnings. As "
        "`highwater info --json`. Begin here. Bytes are exact; `quantity` names their kind.",
        schemaOf({{"files", filesArgument()}}, {"files"}), runOpenTool};
}

Tool peaksTool()
{
    return {"peaks",
        "The steps of a run, and memory in use at the peak, at a step's peak or after any event, in groups "
        "that add up exactly. As `highwater peaks --json`.",
        schemaOf({{"files", filesArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"at",
                         momentArgument(
                             "Right after this event (-1: before the first), or time, such as \"1.28s\"")},
                     {"step", wholeNumber(0, "At the peak of this step")},
                     {"group",
                         oneOf({"site", "stack", "function", "file", "module", "category", "size", "stream",
                                   "pool", "allocation"},
                             "What to group by (default: site)")},
                     {"quantity", oneOf({"requested", "allocated"}, "Which bytes (default: the file's)")},
                     {"top", topArgument("Number of groups, the rest as one sum (default: 10)")}},
            {"files"}),
        runPeaksTool};
}

Tool findingsTool()
{
    return {"findings",
        "What is wrong with a run, with evidence, remedy and what would make a finding wrong. In reading "
        "order. Grades: A follows from the data, B is a strong inference, C is a question. As `highwater "
        "findings --json`.",
        schemaOf(
            {{"files", filesArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()}}, {"files"}),
        runFindingsTool};
}

Tool compareTool()
{
    return {"compare",
        "What changed between two runs, peak against peak or at given events, in rows that sum exactly to "
        "the difference. As `highwater diff --json`.",
        schemaOf(
            {{"before", pathArgument()}, {"after", pathArgument()}, {"rank", rankArgument()},
                {"device_before", deviceArgument()}, {"device_after", deviceArgument()},
                {"at_before",
                    momentArgument("Right after this event or time of the earlier run (default: its peak)")},
                {"at_after",
                    momentArgument("Right after this event or time of the later run (default: its peak)")},
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
        "The allocator's segments, free blocks and the blocks that hold them at an event (default: the last "
        "out-of-memory event, else the peak), and whether memory was fragmented or too small. With address: "
        "every allocation that contained the address, over time, with stacks. As `highwater segments "
        "--json`.",
        schemaOf({{"files", filesArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"at", momentArgument("Right after this event, or time, such as \"1.28s\"")},
                     {"address",
                         property("string",
                             "Address whose allocations over time to return, such as 0x7f3a00001400")},
                     {"top", topArgument("Number of held segments, or of owners (default: 10)")}},
            {"files"}),
        runSegmentsTool};
}

Tool whatIfTool()
{
    return {"what_if",
        "Reserved memory with other allocator settings, or without the allocations of some call sites; "
        "without both, settings that help. `fidelity` shows how exact the replay is. As `highwater what-if "
        "--json`.",
        schemaOf({{"files", filesArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"settings", textList("As in PYTORCH_CUDA_ALLOC_CONF: expandable_segments=true", 16)},
                     {"remove_sites", textList("Parts of call sites whose allocations are left out", 16)}},
            {"files"}),
        runWhatIfTool};
}

Tool allocationsTool()
{
    return {"allocations",
        "Allocations that match a search, largest first, and the sum of all matches. Rows are as in "
        "`highwater export --what allocations --filter … --json`.",
        schemaOf({{"files", filesArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"filter",
                         property("string",
                             "As in the window's search: words, /regular expression/, size>=64MiB, life>100 "
                             "(events), category:activation, 0x7f3a00001400 (what contained this address)")},
                     {"live_at", momentArgument("Only those that are alive right after this event or time")},
                     {"sort", oneOf({"size", "birth"}, "Order of the rows (default: size, largest first)")},
                     {"skip", wholeNumber(0, "Number of rows to skip (default: 0)")},
                     {"top", topArgument("Number of rows (default: 10)")},
                     {"stacks", property("boolean", "Also the whole stack of each (default: no)")}},
            {"files"}),
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
        schemaOf({{"files", textList("One file; steps takes one or two, diff and waterfall take two", 2)},
                     {"kind", figureKindArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"range", property("string", "timeline: events A:B, B not included (default: all)")},
                     {"at", momentArgument("composition, segments: right after this event or time")},
                     {"group", property("string", "As --group of the command")},
                     {"size", property("string", "Width and height in pixels, such as 640x360")},
                     {"dark", property("boolean", "Draw light on dark (default: no)")}},
            {"files", "kind"}),
        runFigureTool, false, false};
}

Tool ranksTool()
{
    return {"ranks",
        "The ranks of a run: which failed first, peaks highest or leaks, which groups differ, and what is "
        "missing. As `highwater ranks --json`.",
        schemaOf({{"files", filesArgument()},
                     {"steps", property("boolean", "Also the peak of each rank in each step (default: no)")}},
            {"files"}),
        runRanksTool};
}

Tool checkTool()
{
    const Json size = property("string", "Such as 20GiB");
    return {"check",
        "Whether a run stays within limits; needs at least one limit. As `highwater check --json`.",
        schemaOf({{"files", filesArgument()}, {"device", deviceArgument()}, {"max_peak", size},
                     {"max_reserved", size}, {"max_growth_per_step", size},
                     {"baseline", property("string", "File of an earlier run, for max_peak_increase")},
                     {"max_peak_increase", property("string", "Such as 5%")}},
            {"files"}),
        runCheckTool};
}

Tool budgetTool()
{
    return {"budget",
        "Memory that a run needs by its configuration, line by line, and the GPUs that it fits; with "
        "files, also what was observed. As `highwater budget --json`.",
        schemaOf({{"config", property("string", "Path of the run's configuration, JSON or YAML")},
                     {"files", filesArgument()}, {"device", deviceArgument()}, {"rank", rankArgument()},
                     {"gpus", textList("Names or sizes, such as L4 or 24GB (default: common ones)", 32)},
                     {"what_if", textList("Other values of settings, such as batch=1,2,4", 16)}},
            {"config"}),
        runBudgetTool};
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
    static const std::vector<Tool> allTools
        = {filesTool(), openTool(), peaksTool(), findingsTool(), ranksTool(), compareTool(), segmentsTool(),
            whatIfTool(), allocationsTool(), checkTool(), budgetTool(), figureTool()};
    return allTools;
}

} // namespace highwater::cli
