#include "app/cli/output/step_output.h"

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "core/base/json.h"
#include "core/table/step_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// Maximum number of steps that are shown.
constexpr std::size_t kMaxSteps = 12;

/// Returns the time of an event; null if it has none.
Json microseconds(const Trace& trace, DeviceIndex device, std::int64_t event)
{
    const Nanoseconds time = trace.events.time[trace.row(device, event)];
    return time == 0 ? Json() : Json(time / 1000);
}

template <typename StepOrMicroStep>
Json stepRangeJson(
    const Trace& trace, const AllocationTable& allocations, std::size_t index, const StepOrMicroStep& step)
{
    const DeviceIndex device = allocations.device();
    return {{"index", index}, {"begin_event", step.begin}, {"end_event", step.end},
        {"begin_us", microseconds(trace, device, step.begin)},
        {"end_us", microseconds(trace, device, step.end - 1)}, {"start_bytes", step.startBytes},
        {"peak_bytes", step.peakBytes}, {"peak_event", step.peakEvent}, {"end_bytes", step.endBytes}};
}

Json phaseJson(Phase phase)
{
    return phase == Phase::Unknown ? Json() : Json(toText(phase));
}

Json stepJson(
    const Trace& trace, const AllocationTable& allocations, const StepTable& table, std::size_t index)
{
    const Step& step = table.steps[index];
    Json json = stepRangeJson(trace, allocations, index, step);
    json["name"] = step.name;
    json["source"] = toText(step.source);
    json["grade"] = toText(step.grade);
    json["phase"] = phaseJson(step.peakPhase);
    json["quantity"] = toText(allocations.quantity());
    json["complete"] = step.isComplete;
    json["left_behind_bytes"] = step.leftBehindBytes ? Json(*step.leftBehindBytes) : Json();
    Json micro = Json::array();
    for (std::size_t i = 0; i < step.microSteps.size(); ++i)
        micro.push_back(stepRangeJson(trace, allocations, i, step.microSteps[i]));
    json["micro_steps"] = std::move(micro);
    return json;
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

std::string noSuchStepText(std::int64_t step, const std::string& device, const StepTable& table)
{
    const std::size_t count = table.steps.size();
    const std::string known = count == 0 ? "it has no steps"
        : count == 1                     ? "its only step is 0"
                                         : fmt::format("its steps are 0 to {}", count - 1);
    return fmt::format("has no step {} on {}; {} (highwater peaks --steps lists them)", step, device, known);
}

void printStepCount(const StepTable& table)
{
    printOut("{}{}\n", table.foundText(), table.source == StepSource::Whole ? "" : ". --steps lists them");
}

void printSteps(const Trace& trace, const AllocationTable& allocations, const StepTable& table)
{
    printOut("{}  {} ({} bytes)\n", Style::forStdout().strong(trace.devices[allocations.device()].words()),
        table.foundText(), inWords(allocations.quantity()));
    Table steps = mainSteps(stepTable({table}), kMaxSteps);
    steps.caption.clear();
    if (!steps.leftOut.empty())
        steps.leftOut += "; --json prints all";
    printTable(steps);
}

void printMicroSteps(const StepTable& table)
{
    const Table pairs = microStepTable(table);
    if (pairs.rows.empty())
        printOut("No step has several distinct forward-backward pairs.\n");
    else
        printTable(pairs);
}

} // namespace highwater::cli
