#include "app/cli/output/step_output.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/console/text_table.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Up to this many steps are all shown; of more, this many of the first and of the largest.
constexpr std::size_t kFewSteps = 16;
constexpr std::size_t kFirstSteps = 6;
constexpr std::size_t kLargestSteps = 6;

Json microseconds(const Trace& trace, DeviceIndex device, std::int64_t event)
{
    const Nanoseconds time = trace.events.time[trace.row(device, event)];
    return time == 0 ? Json() : Json(time / 1000);
}

template <typename Stretch>
Json stretchJson(
    const Trace& trace, const AllocationTable& allocations, std::size_t index, const Stretch& stretch)
{
    const DeviceIndex device = allocations.device();
    return {{"index", index}, {"begin_event", stretch.begin}, {"end_event", stretch.end},
        {"begin_us", microseconds(trace, device, stretch.begin)},
        {"end_us", microseconds(trace, device, stretch.end - 1)}, {"start_bytes", stretch.startBytes},
        {"peak_bytes", stretch.peakBytes}, {"peak_event", stretch.peakEvent},
        {"end_bytes", stretch.endBytes}};
}

Json phaseJson(Phase phase)
{
    return phase == Phase::Unknown ? Json() : Json(toText(phase));
}

Json stepJson(
    const Trace& trace, const AllocationTable& allocations, const StepTable& table, std::size_t index)
{
    const Step& step = table.steps[index];
    Json json = stretchJson(trace, allocations, index, step);
    json["name"] = step.name;
    json["source"] = toText(step.source);
    json["grade"] = toText(step.grade);
    json["phase"] = phaseJson(step.peakPhase);
    json["quantity"] = toText(allocations.quantity());
    json["complete"] = step.complete;
    Json micro = Json::array();
    for (std::size_t i = 0; i < step.microSteps.size(); ++i)
        micro.push_back(stretchJson(trace, allocations, i, step.microSteps[i]));
    json["micro_steps"] = std::move(micro);
    return json;
}

/// Indices of the steps to show, ascending.
std::vector<std::size_t> shownSteps(const std::vector<Step>& steps)
{
    std::vector<std::size_t> order(steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (steps.size() <= kFewSteps)
        return order;
    std::stable_sort(order.begin() + kFirstSteps, order.end(),
        [&](std::size_t a, std::size_t b) { return steps[a].peakBytes > steps[b].peakBytes; });
    order.resize(kFirstSteps + kLargestSteps);
    std::sort(order.begin(), order.end());
    return order;
}

} // namespace

nlohmann::ordered_json stepsJson(
    const Trace& trace, const AllocationTable& allocations, const StepTable& table)
{
    Json steps = Json::array();
    for (std::size_t i = 0; i < table.steps.size(); ++i)
        steps.push_back(stepJson(trace, allocations, table, i));
    return steps;
}

nlohmann::ordered_json stepLogJson(const StepTable& table)
{
    Json log = Json::array();
    if (table.source == StepSource::Whole)
        log.push_back({{"severity", "info"}, {"code", "steps-not-told-apart"}, {"message", table.reason},
            {"count", 1}, {"first_at", nullptr}});
    return log;
}

void printSteps(const Trace& trace, const AllocationTable& allocations, const StepTable& table)
{
    const Style style = Style::forStdout();
    const std::vector<std::size_t> shown = shownSteps(table.steps);
    printOut("{}  {} ({} bytes), grade {}: {}\n", style.strong(trace.devices[allocations.device()].label()),
        table.countText(), inWords(allocations.quantity()), toText(table.grade), table.reason);
    using Align = TextTable::Align;
    TextTable rows({Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right,
        Align::Left, Align::Left});
    rows.add({"step", "name", "events", "start", "peak", "end", "peak lies in", ""});
    for (const std::size_t index : shown) {
        const Step& step = table.steps[index];
        std::string remark = !step.complete ? "incomplete"
            : step.microSteps.empty()       ? ""
                                      : fmt::format("{} forward-backward pairs", step.microSteps.size());
        if (step.source != table.source)
            remark += fmt::format("{}by {}", remark.empty() ? "" : ", ", toText(step.source));
        rows.add({formatCount(static_cast<std::int64_t>(index)), step.name,
            formatCount(step.end - step.begin), formatBytes(step.startBytes), formatBytes(step.peakBytes),
            formatBytes(step.endBytes), std::string(toText(step.peakPhase)), remark});
    }
    printOut("{}", rows.text());
    if (const std::size_t hidden = table.steps.size() - shown.size(); hidden > 0)
        printOut("  {}\n",
            style.quiet(fmt::format("{} more steps are not shown: these are the first {} and the {} largest "
                                    "of the rest; --json has all",
                formatCount(static_cast<std::int64_t>(hidden)), kFirstSteps, kLargestSteps)));
    printOut("\n");
}

} // namespace highwater::cli
