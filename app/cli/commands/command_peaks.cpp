#include "app/cli/commands/commands.h"

#include <memory>
#include <vector>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/file_answers.h"
#include "app/cli/output/cut_off_output.h"
#include "app/cli/output/module_output.h"
#include "app/cli/output/step_output.h"
#include "app/loading/device_choice.h"
#include "app/loading/run_description.h"
#include "core/analysis/composition/user_sites.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/moment_words.h"
#include "core/analysis/steps/step_boundaries.h"
#include "core/analysis/usage/allocator_rounding.h"
#include "core/analysis/usage/moment_text.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/study/live_moment.h"
#include "core/table/composition_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kUserSite = "user-site";

/// Returns the requested grouping. Without a request, people get the readable "user-site"; `--json` gets
/// "stack", which the manual promises.
std::string groupOf(const PeaksOptions& options)
{
    if (!options.group.empty())
        return options.group;
    return options.common.json ? std::string(toText(GroupKey::Stack)) : std::string(kUserSite);
}

/// Returns an array of {"text", "count", "grade", "element_bytes", "dimensions": [{"size", "name"}],
/// "reason"}.
Json shapesJson(const std::vector<SizeShape>& shapes)
{
    Json rows = Json::array();
    for (const auto& [shape, count] : shapes) {
        Json dimensions = Json::array();
        for (const ShapeDimension& dimension : shape.dimensions)
            dimensions.push_back({{"size", dimension.value}, {"name", dimension.name}});
        rows.push_back({{"text", shape.text()}, {"count", count}, {"grade", toText(shape.grade)},
            {"element_bytes", shape.elementBytes}, {"dimensions", dimensions}, {"reason", shape.reason}});
    }
    return rows;
}

/// Returns [{"reason", "bytes"}], most bytes first.
Json reasonsJson(const CompositionGroup& row)
{
    Json reasons = Json::array();
    for (const auto& [reason, bytes] : row.reasons())
        reasons.push_back({{"reason", toText(reason)}, {"bytes", bytes}});
    return reasons;
}

Json liveJson(const LiveMoment& live, const std::string& group)
{
    Json groups = Json::array();
    for (std::size_t i = 0; i < live.shown; ++i) {
        const CompositionGroup& row = live.composition.groups[i];
        groups.push_back({{"key", row.key}, {"bytes", row.bytes}, {"count", row.count}});
        if (group == toText(GroupKey::Size))
            groups.back()["shapes"] = shapesJson(live.shapesOf(i));
        if (group == toText(GroupKey::Category))
            groups.back()["reasons"] = reasonsJson(row);
    }
    return {{"event", live.composition.event}, {"quantity", toText(live.quantity)},
        {"inferred", live.isInferred}, {"at_least", live.isAtLeast}, {"bytes", live.composition.bytes},
        {"blocks", live.composition.count}, {"group", group}, {"groups", groups},
        {"rest",
            {{"groups", live.composition.groups.size() - live.shown}, {"bytes", live.restBytes},
                {"count", live.restCount}}}};
}

/// Returns the row's name for a table; user sites are shown without folders, categories in words.
std::string rowName(const CompositionGroup& row, const DeviceStudy& study, const std::string& group)
{
    if (group == toText(GroupKey::Category))
        if (const std::optional<Category> category = categoryFromText(row.key))
            return std::string(titleOf(*category)) + (shownGrade(row) == Grade::C ? "?" : "");
    return group == kUserSite ? findUserSite(study.trace, study.allocations, study.sites, row.example).label
                              : row.key;
}

/// Prints "GPU 0  22.62 GiB in use (24,287,511,136 B, requested) in 156 allocations after event 13,341, the
/// peak, by call site".
void printLiveTitle(const LiveMoment& live, const DeviceStudy& study, const std::string& group)
{
    const Style style = Style::forStdout();
    const Composition& composition = live.composition;
    printOut("{}  {} in use ({}, {}{}) in {} {}, by {}\n", style.strong(study.about().words()),
        style.strong((live.isInferred || live.isAtLeast ? "≥ " : "") + formatBytes(composition.bytes)),
        formatExactBytes(composition.bytes), inWords(live.quantity), live.isInferred ? ", inferred" : "",
        counted(composition.count, "allocation", "allocations"), momentAndHighest(study, composition.event),
        group == kUserSite ? "call site" : group);
}

void printGroups(const LiveMoment& live, const DeviceStudy& study, const std::string& group)
{
    const Composition& composition = live.composition;
    const bool areAllShown = live.shown == composition.groups.size();
    const GroupKey key = groupKeyFromText(group).value_or(GroupKey::Site);
    Table table = compositionTable(key, composition, areAllShown ? composition.groups.size() : live.shown + 1,
        [&](const CompositionGroup& row) { return rowName(row, study, group); });
    if (!live.shapes.empty())
        table = withShapes(std::move(table), composition, [&](const CompositionGroup& row) {
            return shapesText(live.shapesOf(static_cast<std::size_t>(&row - composition.groups.data())));
        });
    printTable(table);
}

/// Returns the quantity that `--quantity` names, if the device has it or it can be inferred; else fails. An
/// empty `wanted` means the device's own.
Result<Quantity> chooseQuantity(const Device& device, const std::string& wanted)
{
    if (wanted.empty() || wanted == toText(device.quantity))
        return device.quantity;
    if (wanted == toText(Quantity::Allocated) && hasKnownRounding(device))
        return Quantity::Allocated;
    return fail(ErrorCode::BadRequest,
        fmt::format("has {0} bytes on {1}, and {2} bytes cannot be inferred; omit --quantity",
            toText(device.quantity), device.words(), wanted));
}

StepRequest stepRequest(const PeaksOptions& options)
{
    if (const std::optional<std::string> problem = stepPatternProblem(options.stepPattern))
        refuse("--step-pattern", fmt::format("is not a regular expression: {}", *problem));
    StepRequest request;
    request.pattern = options.stepPattern;
    request.source = stepSourceFromText(options.stepSource);
    return request;
}

/// Returns the event to show: the peak, the peak of a step, or the requested event. Fails if the device does
/// not have it.
Result<std::int64_t> chooseMoment(const DeviceStudy& study, const PeaksOptions& options)
{
    const auto stepCount = static_cast<std::int64_t>(study.steps.steps.size());
    if (options.step && (*options.step < 0 || *options.step >= stepCount))
        return fail(ErrorCode::BadRequest, noSuchStepText(*options.step, study.about().words(), study.steps));
    if (options.at)
        return eventOfMoment(*options.at, study.trace, study.device);
    return options.step ? study.steps.steps[static_cast<std::size_t>(*options.step)].peakEvent
                        : study.curve.peak().event;
}

/// Settings that all files of the command share.
struct PeakSettings
{
    std::vector<CategoryRule> rules;
    std::vector<ConfigurationEntry> run; ///< from the run's configuration; empty without one
};

/// One moment of one device of one file.
struct PeakMoment
{
    const LoadedInput& input;
    DeviceFigures figures; ///< in the file's own quantity
    std::unique_ptr<const DeviceStudy> study;
    std::int64_t event = -1;

    bool isCutOff() const { return input.imported->incomplete || study->trace.metadata.cutOff; }
};

/// Finds the device, its quantity and the moment; ends the command if the file lacks one of them.
PeakMoment peakMomentOf(const LoadedInput& input, const PeaksOptions& options, const PeakSettings& settings)
{
    const std::string& path = input.path;
    const Trace& trace = *input.imported->trace;
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const DeviceIndex device = need(path, chooseDevice(trace, figures, options.device));
    const Quantity quantity = need(path, chooseQuantity(trace.devices[device], options.quantity));
    auto study
        = std::make_unique<const DeviceStudy>(trace, device, quantity, settings.rules, stepRequest(options));
    const std::int64_t event = need(path, chooseMoment(*study, options));
    return {input, figures[device], std::move(study), event};
}

/// Returns the tree of modules at the moment; nullopt unless modules are what to group by.
std::optional<ModulesAt> modulesOf(const PeakMoment& moment, const PeaksOptions& options)
{
    if (groupOf(options) != toText(GroupKey::Module))
        return std::nullopt;
    return modulesAt(*moment.study, moment.event, options.top);
}

/// Infers shapes from sizes in the file's own quantity, even if the groups are in another one.
ShapesBySize shapesOf(const PeakMoment& moment, const PeakSettings& settings)
{
    const DeviceStudy& study = *moment.study;
    if (study.allocations.quantity() == study.about().quantity)
        return shapesAt(study, knownNumbers(study, settings.run), moment.event);
    const DeviceStudy ownStudy(study.trace, study.device, settings.rules);
    return shapesAt(ownStudy, knownNumbers(ownStudy, settings.run), moment.event);
}

LiveMoment shownMomentOf(const PeakMoment& moment, const PeaksOptions& options, const PeakSettings& settings)
{
    LiveMoment live
        = liveMoment(*moment.study, moment.event, {groupKeyFromText(groupOf(options)), options.top});
    if (groupOf(options) == toText(GroupKey::Size))
        live.shapes = shapesOf(moment, settings);
    return live;
}

Json peaksJson(const LoadedInput& input, const PeaksOptions& options, const PeakSettings& settings)
{
    const PeakMoment moment = peakMomentOf(input, options, settings);
    const DeviceStudy& study = *moment.study;
    Json document
        = {{"path", input.path}, {"device", study.about().ordinal}, {"kind", toText(study.about().kind)},
            {"steps", stepsJson(study.trace, study.allocations, study.steps)},
            {"steps_reason", study.steps.reason}, {"import_log", stepLogJson(study.steps)},
            {"live", liveJson(shownMomentOf(moment, options, settings), groupOf(options))}};
    if (const std::optional<ModulesAt> modules = modulesOf(moment, options))
        document["live"]["modules"] = modulesJson(*modules);
    if (moment.isCutOff())
        document["cut_off"] = cutOffJson(study.trace, study.device, moment.figures);
    return document;
}

/// Prints the number of steps, or tables of them if requested.
void printRequestedSteps(const DeviceStudy& study, const PeaksOptions& options)
{
    if (options.steps)
        printSteps(study.trace, study.allocations, study.steps);
    else
        printStepCount(study.steps);
    if (options.microSteps) {
        printOut("\n");
        printMicroSteps(study.steps);
    }
}

void printPeaks(const LoadedInput& input, const PeaksOptions& options, const PeakSettings& settings)
{
    const PeakMoment moment = peakMomentOf(input, options, settings);
    const DeviceStudy& study = *moment.study;
    if (moment.isCutOff())
        printOut("{}\n\n", Style::forStdout().warning(cutOffText(study.trace, study.device, moment.figures)));
    const LiveMoment live = shownMomentOf(moment, options, settings);
    printLiveTitle(live, study, groupOf(options));
    if (const std::optional<ModulesAt> modules = modulesOf(moment, options))
        printModules(*modules);
    else
        printGroups(live, study, groupOf(options));
    printOut("\n");
    printRequestedSteps(study, options);
}

} // namespace

int runPeaks(const PeaksOptions& options)
{
    PeakSettings settings{rulesFrom(options.rules), {}};
    if (!options.config.empty())
        settings.run = needOption(options.config, loadRunDescription(options.config)).settings;
    return answerForRun(options.common,
        {options.device, [&](const LoadedInput& input) { return peaksJson(input, options, settings); },
            [&](const LoadedInput& input) { printPeaks(input, options, settings); }});
}

} // namespace highwater::cli
