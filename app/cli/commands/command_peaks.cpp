#include "app/cli/commands/commands.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/each_file.h"
#include "app/cli/output/cut_off_output.h"
#include "app/cli/output/module_output.h"
#include "app/cli/output/step_output.h"
#include "app/loading/device_choice.h"
#include "app/loading/run_description.h"
#include "core/analysis/composition/composition.h"
#include "core/analysis/composition/user_sites.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/steps/step_boundaries.h"
#include "core/analysis/tensor_shapes/tensor_shapes.h"
#include "core/analysis/usage/allocator_rounding.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/table/composition_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kUserSite = "user-site";

/// What is grouped by: what was asked for, else what is read most easily, or the contract of `--json`.
std::string groupOf(const PeaksOptions& options)
{
    if (!options.group.empty())
        return options.group;
    return options.common.json ? std::string(toText(GroupKey::Stack)) : std::string(kUserSite);
}

/// The likely shape of some allocations of one size: the best hint, and how many allocations it covers.
struct SizeShape
{
    TensorShape shape;
    std::int64_t count = 0;
};

auto keyOf(const ShapeQuestion& question)
{
    return std::tuple(question.bytes, question.category, question.topic, question.inOptimizer,
        question.hasFrames, question.rounded);
}

/// Hints for the sizes that are alive right after an event, by size as recorded, the most frequent first;
/// sizes without any are left out. O(allocations + questions that differ × layouts).
std::map<Bytes, std::vector<SizeShape>> shapesAt(
    const DeviceStudy& study, const KnownNumbers& numbers, std::int64_t event)
{
    std::map<decltype(keyOf({})), std::pair<ShapeQuestion, std::int64_t>> questions;
    for (const AllocationIndex i : study.allocations.liveAt(event)) {
        const ShapeQuestion question = shapeQuestion(study, i);
        ++questions.try_emplace(keyOf(question), question, 0).first->second.second;
    }
    std::map<Bytes, std::vector<SizeShape>> bySize;
    for (const auto& [key, asked] : questions) {
        const std::vector<TensorShape> shapes = tensorShapes(asked.first, numbers);
        if (shapes.empty())
            continue;
        std::vector<SizeShape>& row = bySize[asked.first.bytes];
        const auto same = std::ranges::find_if(row, [&](const SizeShape& other) {
            return other.shape.text() == shapes.front().text()
                && other.shape.names() == shapes.front().names();
        });
        if (same != row.end())
            same->count += asked.second;
        else
            row.push_back({shapes.front(), asked.second});
    }
    for (auto& [size, row] : bySize)
        std::ranges::stable_sort(row, std::ranges::greater(), &SizeShape::count);
    return bySize;
}

/// "[1024, 4096] fp32?  B·T · intermediate": a hint for people, which ends with a question mark below
/// grade B.
std::string shapeText(const TensorShape& shape)
{
    return fmt::format("{}{}  {}", shape.text(), shape.grade == Grade::C ? "?" : "", shape.names());
}

/// {"text", "count", "grade", "element_bytes", "dimensions": [{"size", "name"}], "reason"}
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

struct LiveSets
{
    Composition composition;
    Quantity quantity = Quantity::Requested;
    bool inferred = false; ///< at least one of the allocations counts with a lower bound
    bool atLeast = false; ///< the file is cut off: allocations may be missing
    std::size_t shown = 0;
    Bytes restBytes = 0;
    std::int64_t restCount = 0;
    std::map<Bytes, std::vector<SizeShape>> shapes; ///< by size, where these are the groups
    std::vector<Bytes> sizes; ///< recorded one of each group
};

LiveSets cutToTop(Composition composition, const AllocationTable& allocations, std::size_t top)
{
    LiveSets sets;
    sets.quantity = allocations.quantity();
    sets.atLeast = totalsAreAtLeast(allocations.trace().devices[allocations.device()]);
    if (allocations.hasInferred())
        sets.inferred = std::ranges::any_of(allocations.liveAt(composition.event),
            [&](AllocationIndex i) { return allocations.isInferred(i); });
    sets.composition = std::move(composition);
    const std::vector<CompositionGroup>& groups = sets.composition.groups;
    sets.shown = top == 0 ? groups.size() : std::min(top, groups.size());
    for (std::size_t i = sets.shown; i < groups.size(); ++i) {
        sets.restBytes += groups[i].bytes;
        sets.restCount += groups[i].count;
    }
    for (const CompositionGroup& group : groups)
        sets.sizes.push_back(allocations.recordedBytes(group.example));
    return sets;
}

/// What the allocations of a row may be; of other rows than sizes nothing.
std::vector<SizeShape> shapesOf(const LiveSets& sets, std::size_t row)
{
    const auto found = sets.shapes.find(sets.sizes[row]);
    return found == sets.shapes.end() ? std::vector<SizeShape>() : found->second;
}

Json liveJson(const LiveSets& sets, const std::string& group)
{
    Json groups = Json::array();
    for (std::size_t i = 0; i < sets.shown; ++i) {
        const CompositionGroup& row = sets.composition.groups[i];
        groups.push_back({{"key", row.key}, {"bytes", row.bytes}, {"count", row.count}});
        if (group == toText(GroupKey::Size))
            groups.back()["shapes"] = shapesJson(shapesOf(sets, i));
    }
    return {{"event", sets.composition.event}, {"quantity", toText(sets.quantity)},
        {"inferred", sets.inferred}, {"at_least", sets.atLeast}, {"bytes", sets.composition.bytes},
        {"blocks", sets.composition.blocks}, {"group", group}, {"groups", groups},
        {"rest",
            {{"groups", sets.composition.groups.size() - sets.shown}, {"bytes", sets.restBytes},
                {"count", sets.restCount}}}};
}

/// What the blocks of a size may be: a line for each shape, with its number of blocks.
std::string shapesText(const LiveSets& sets, const CompositionGroup& group)
{
    const auto row = static_cast<std::size_t>(&group - sets.composition.groups.data());
    std::string text;
    for (const auto& [shape, count] : shapesOf(sets, row))
        text += fmt::format("{}{} of {}", text.empty() ? "" : "\n", formatCount(count), shapeText(shape));
    return text;
}

/// As it is read in a table: of user sites without folders.
std::string rowName(const CompositionGroup& row, const AllocationTable& allocations, const CallSites* sites)
{
    return sites ? userSiteOf(allocations.trace(), allocations, *sites, row.example).label : row.key;
}

/// "cuda:0  22.62 GiB requested (24,287,511,136 B) in 156 allocations after event 13,341, the peak, by site"
void printLiveTitle(
    const LiveSets& sets, const AllocationTable& allocations, bool isPeak, const std::string& group)
{
    const Style style = Style::forStdout();
    const Composition& live = sets.composition;
    const Device& device = allocations.trace().devices[allocations.device()];
    printOut("{}  {} {}{} ({}) in {} {}{}, by {}\n", style.strong(device.label()),
        style.strong((sets.inferred || sets.atLeast ? "≥ " : "") + formatBytes(live.bytes)),
        inWords(sets.quantity), sets.inferred ? ", inferred" : "", formatExactBytes(live.bytes),
        counted(live.blocks, "allocation", "allocations"), formatMoment(live.event),
        isPeak ? ", the peak" : "", group == kUserSite ? "site" : group);
}

void printGroups(const LiveSets& sets, const AllocationTable& allocations, const std::string& group)
{
    const Composition& live = sets.composition;
    const bool isWhole = sets.shown == live.groups.size();
    std::optional<CallSites> sites;
    if (group == kUserSite)
        sites.emplace(allocations.trace(), allocations);
    const GroupKey key = groupKeyFromText(group).value_or(GroupKey::Site);
    Table table = compositionTable(key, live, isWhole ? live.groups.size() : sets.shown + 1,
        [&](const CompositionGroup& row) { return rowName(row, allocations, sites ? &*sites : nullptr); });
    if (!sets.shapes.empty())
        table = withShapes(
            std::move(table), live, [&sets](const CompositionGroup& row) { return shapesText(sets, row); });
    printTable(table);
}

/// The one that was asked for, where the device has it.
Result<Quantity> chooseQuantity(const Device& device, const std::string& wanted)
{
    if (wanted.empty() || wanted == toText(device.quantity))
        return device.quantity;
    if (wanted == toText(Quantity::Allocated) && hasKnownRounding(device))
        return Quantity::Allocated;
    return fail(ErrorCode::BadRequest,
        fmt::format("has {0} bytes on {1}, from which {2} ones do not follow: leave --quantity out",
            toText(device.quantity), device.label(), wanted));
}

/// What was live at the event, by what was asked for.
Composition composed(const Trace& trace, const AllocationTable& allocations, const StepTable& steps,
    const std::vector<CategoryRule>& rules, std::int64_t event, const std::string& group)
{
    const CallSites sites(trace, allocations);
    if (group == kUserSite)
        return userSitesAt(trace, allocations, sites, event);
    const GroupKey key = *groupKeyFromText(group);
    if (key != GroupKey::Category)
        return compositionAt(trace, allocations, sites, event, key);
    const CategoryTable categories = categorize(trace, allocations, findPhases(allocations), steps, rules);
    return compositionAt(trace, allocations, sites, event, key, &categories);
}

/// The steps as asked for; fails where there is no such step.
Result<StepTable> chooseSteps(const Trace& trace, const AllocationTable& allocations, const UsageCurve& curve,
    const PeaksOptions& options)
{
    StepRequest request;
    request.pattern = options.stepPattern;
    request.source = stepSourceFromText(options.stepSource);
    if (const std::optional<std::string> problem = stepPatternProblem(options.stepPattern))
        return fail(ErrorCode::BadRequest, fmt::format("--step-pattern: {}", *problem));
    StepTable table = findSteps(trace, allocations, curve, findPhases(allocations), request);
    const auto count = static_cast<std::int64_t>(table.steps.size());
    if (options.step && (*options.step < 0 || *options.step >= count))
        return fail(ErrorCode::BadRequest,
            fmt::format("has no step {} on {}: --step takes 0 to {} (--steps lists them)", *options.step,
                trace.devices[allocations.device()].label(), count - 1));
    return table;
}

/// Of the run's configuration; empty: none was given.
std::vector<ConfigurationEntry> settingsFrom(const std::string& path)
{
    return path.empty() ? std::vector<ConfigurationEntry>()
                        : needOption(path, loadRunDescription(path)).settings;
}

/// What sizes may be is asked of the whole study; in any quantity the sizes are those recorded.
void addShapes(LiveSets& sets, const Trace& trace, DeviceIndex device, const std::vector<CategoryRule>& rules,
    const std::vector<ConfigurationEntry>& settings)
{
    const DeviceStudy study(trace, device, rules);
    sets.shapes = shapesAt(study, knownNumbers(study, settings), sets.composition.event);
}

/// What the steps are, with tables of them where they were asked for.
void printStepsAsked(const Trace& trace, const AllocationTable& allocations, const StepTable& steps,
    const PeaksOptions& options)
{
    if (options.steps)
        printSteps(trace, allocations, steps);
    else
        printStepCount(steps);
    if (options.microSteps) {
        printOut("\n");
        printMicroSteps(steps);
    }
}

/// One device of one file, in figures.
struct PeakMoment
{
    const LoadedInput& input;
    std::vector<DeviceFigures> figures;
    DeviceIndex device;
    AllocationTable allocations;
    UsageCurve curve;
    StepTable steps;
    std::int64_t event;

    const Trace& trace() const { return *input.imported->trace; }
    const Device& about() const { return trace().devices[device]; }
    bool isPeak() const { return event == curve.peak().event; }
    bool isCutOff() const { return input.imported->incomplete || trace().metadata.cutOff; }
};

PeakMoment peakMomentOf(const LoadedInput& input, const PeaksOptions& options)
{
    const std::string& path = input.path;
    const Trace& trace = *input.imported->trace;
    std::vector<DeviceFigures> figures = allFigures(trace);
    const DeviceIndex device = need(path, chooseDevice(trace, figures, options.device));
    const Quantity quantity = need(path, chooseQuantity(trace.devices[device], options.quantity));
    AllocationTable allocations(trace, device, quantity);
    UsageCurve curve(trace, allocations);
    StepTable steps = need(path, chooseSteps(trace, allocations, curve, options));
    const std::int64_t events = trace.eventCount(device);
    const std::int64_t event = options.step ? steps.steps[static_cast<std::size_t>(*options.step)].peakEvent
                                            : options.at.value_or(curve.peak().event);
    if (event < -1 || event >= events)
        refuse(path,
            fmt::format("has no event {} on {}: --at takes -1 to {}", event, trace.devices[device].label(),
                events - 1));
    return {
        input, std::move(figures), device, std::move(allocations), std::move(curve), std::move(steps), event};
}

/// What all files of the command share.
struct PeakSettings
{
    std::vector<CategoryRule> rules;
    std::vector<ConfigurationEntry> run;
};

std::optional<ModulesAt> modulesOf(
    const PeakMoment& at, const PeaksOptions& options, const PeakSettings& settings)
{
    if (groupOf(options) != toText(GroupKey::Module))
        return std::nullopt;
    const AllocationTable& allocations = at.allocations;
    return modulesAt(allocations,
        categorize(at.trace(), allocations, findPhases(allocations), at.steps, settings.rules), at.event,
        options.top);
}

LiveSets liveSets(const PeakMoment& at, const PeaksOptions& options, const PeakSettings& settings)
{
    const std::string group = groupOf(options);
    LiveSets sets = cutToTop(composed(at.trace(), at.allocations, at.steps, settings.rules, at.event, group),
        at.allocations, options.top);
    if (group == toText(GroupKey::Size))
        addShapes(sets, at.trace(), at.device, settings.rules, settings.run);
    return sets;
}

Json peaksJson(const LoadedInput& input, const PeaksOptions& options, const PeakSettings& settings)
{
    const PeakMoment at = peakMomentOf(input, options);
    Json document = {{"path", input.path}, {"device", at.about().ordinal}, {"kind", toText(at.about().kind)},
        {"steps", stepsJson(at.trace(), at.allocations, at.steps)}, {"steps_reason", at.steps.reason},
        {"import_log", stepLogJson(at.steps)},
        {"live", liveJson(liveSets(at, options, settings), groupOf(options))}};
    if (const std::optional<ModulesAt> modules = modulesOf(at, options, settings))
        document["live"]["modules"] = modulesJson(*modules);
    if (at.isCutOff())
        document["cut_off"] = cutOffJson(at.trace(), at.device, at.figures[at.device]);
    return document;
}

void printPeaks(const LoadedInput& input, const PeaksOptions& options, const PeakSettings& settings)
{
    const PeakMoment at = peakMomentOf(input, options);
    if (at.isCutOff())
        printOut(
            "{}\n\n", Style::forStdout().warning(cutOffText(at.trace(), at.device, at.figures[at.device])));
    const LiveSets sets = liveSets(at, options, settings);
    printLiveTitle(sets, at.allocations, at.isPeak(), groupOf(options));
    if (const std::optional<ModulesAt> modules = modulesOf(at, options, settings))
        printModules(*modules);
    else
        printGroups(sets, at.allocations, groupOf(options));
    printOut("\n");
    printStepsAsked(at.trace(), at.allocations, at.steps, options);
}

} // namespace

int runPeaks(const PeaksOptions& options)
{
    const PeakSettings settings{rulesFrom(options.rules), settingsFrom(options.config)};
    return answerForRun(options.common,
        {options.device, [&](const LoadedInput& input) { return peaksJson(input, options, settings); },
            [&](const LoadedInput& input) { printPeaks(input, options, settings); }});
}

} // namespace highwater::cli
