#include "app/cli/commands/commands.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "app/cli/output/cut_off_output.h"
#include "app/cli/output/step_output.h"
#include "app/loading/device_choice.h"
#include "app/loading/run_description.h"
#include "core/analysis/composition/composition.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/device_figures.h"
#include "core/analysis/steps/step_boundaries.h"
#include "core/analysis/tensor_shapes/tensor_shapes.h"
#include "core/analysis/usage/allocator_rounding.h"
#include "core/base/text_format.h"
#include "core/table/composition_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

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

/// "[1,024, 4,096] fp32?  B·T · intermediate": a hint for people, which ends with a question mark below
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

void printLive(const LiveSets& sets, const Device& device, bool isPeak, GroupKey key)
{
    const Style style = Style::forStdout();
    const Composition& live = sets.composition;
    printOut("{}  {} {}{} ({}) in {} allocations {}{}, by {}\n", style.strong(device.label()),
        style.strong((sets.inferred || sets.atLeast ? "≥ " : "") + formatBytes(live.bytes)),
        inWords(sets.quantity), sets.inferred ? ", inferred" : "", formatExactBytes(live.bytes),
        formatCount(live.blocks), formatMoment(live.event), isPeak ? ", the peak" : "", toText(key));
    const bool isWhole = sets.shown == live.groups.size();
    Table table = compositionTable(key, live, isWhole ? live.groups.size() : sets.shown + 1,
        [](const CompositionGroup& row) { return row.key; });
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
        fmt::format("has {} bytes on {}; {} ones do not follow from them", toText(device.quantity),
            device.label(), wanted));
}

/// What was live at the event, by what was asked for.
Composition composed(const Trace& trace, const AllocationTable& allocations, const StepTable& steps,
    const std::vector<CategoryRule>& rules, std::int64_t event, GroupKey key)
{
    const CallSites sites(trace, allocations);
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
            fmt::format("has no step {} on {} ({} steps, counted from 0)", *options.step,
                trace.devices[allocations.device()].label(), count));
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

} // namespace

int runPeaks(const PeaksOptions& options)
{
    const std::string& path = options.common.files.front();
    const std::vector<CategoryRule> rules = rulesFrom(options.rules);
    const std::vector<ConfigurationEntry> settings = settingsFrom(options.config);
    const LoadedInput input = needInput(path, options.common);
    const Trace& trace = *input.imported->trace;
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const DeviceIndex device = need(path, chooseDevice(trace, figures, options.device));
    const Quantity quantity = need(path, chooseQuantity(trace.devices[device], options.quantity));
    const AllocationTable allocations(trace, device, quantity);
    const UsageCurve curve(trace, allocations);
    const std::int64_t peakEvent = curve.peak().event;
    const StepTable steps = need(path, chooseSteps(trace, allocations, curve, options));
    const std::int64_t events = trace.eventCount(device);
    const std::int64_t event = options.step ? steps.steps[static_cast<std::size_t>(*options.step)].peakEvent
                                            : options.at.value_or(peakEvent);
    if (event < -1 || event >= events)
        refuse(path,
            fmt::format(
                "has no event {} on {} (-1 to {})", event, trace.devices[device].label(), events - 1));

    LiveSets sets
        = cutToTop(composed(trace, allocations, steps, rules, event, *groupKeyFromText(options.group)),
            allocations, options.top);
    if (options.group == toText(GroupKey::Size))
        addShapes(sets, trace, device, rules, settings);
    const bool isCutOff = input.imported->incomplete || trace.metadata.cutOff;
    if (options.common.json) {
        Json document = {{"path", path}, {"device", trace.devices[device].ordinal},
            {"kind", toText(trace.devices[device].kind)}, {"steps", stepsJson(trace, allocations, steps)},
            {"steps_reason", steps.reason}, {"import_log", stepLogJson(steps)},
            {"live", liveJson(sets, options.group)}};
        if (isCutOff)
            document["cut_off"] = cutOffJson(trace, device, figures[device]);
        printDocument(document);
    } else {
        if (isCutOff)
            printOut("{}\n\n", Style::forStdout().warning(cutOffText(trace, device, figures[device])));
        printSteps(trace, allocations, steps);
        printLive(sets, trace.devices[device], event == peakEvent, *groupKeyFromText(options.group));
    }
    return exitCodeOf(input);
}

} // namespace highwater::cli
