#include "core/table/log_tables.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/log_traceback.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxFailures = 4096;

std::string placeInCode(const Trace& log, const LogEvent& event)
{
    const std::optional<std::size_t> userFrame = findUserFrame(log, event);
    if (!userFrame)
        return {};
    const LogFrame& frame = event.frames[*userFrame];
    return codePlaceText(log.text(frame.function), log.text(frame.file), frame.line);
}

std::optional<Bytes> writtenBytes(const LogEvent& event, std::optional<WrittenBytes> OomFigures::*amount)
{
    return event.figures && *event.figures.*amount ? std::optional((*event.figures.*amount)->bytes)
                                                   : std::nullopt;
}

/// Returns the bytes in use by all processes on the device.
std::optional<Bytes> bytesInUse(const LogEvent& event)
{
    const std::optional<Bytes> capacity = writtenBytes(event, &OomFigures::capacity);
    const std::optional<Bytes> free = writtenBytes(event, &OomFigures::free);
    return capacity && free && *free <= *capacity ? std::optional(*capacity - *free) : std::nullopt;
}

/// Returns the number of a GPU as it is shown; other devices with their kind, such as "NPU 3".
Cell deviceCell(const LogEvent& event)
{
    constexpr std::string_view kGpu = "GPU ";
    const std::string device = deviceText(event);
    return device.starts_with(kGpu) ? textCell(device).show(device.substr(kGpu.size())) : textCell(device);
}

Cell rankCell(const LogEvent& event)
{
    return event.rank ? textCell(std::to_string(*event.rank)).sortBy(*event.rank)
                      : textCell(nameText(event.process));
}

/// Returns "12", or "after 11" if the message itself gives no step.
Cell loggedStepCell(const LogEvent& event)
{
    if (event.step == LogEvent::kNoStep)
        return {};
    const std::int64_t last = event.stepInferred ? event.step - 1 : event.step;
    return textCell(stepText(event))
        .show((event.stepInferred ? "after " : "") + formatCount(last))
        .sortBy(event.step);
}

/// Returns the largest process of others on the GPU: "592502: 96.66 GiB and 2 more".
Cell foreignCell(const LogEvent& event)
{
    const std::vector<ProcessUse> foreign
        = event.figures ? readOom(event).foreign : std::vector<ProcessUse>();
    if (foreign.empty())
        return {};
    const ProcessUse& largest = *std::ranges::max_element(
        foreign, {}, [](const ProcessUse& process) { return process.used.bytes; });
    std::string text = fmt::format("{}: {}", largest.process, formatBytes(largest.used.bytes));
    if (foreign.size() > 1)
        text += fmt::format(" and {} more", foreign.size() - 1);
    return textCell(processesText(foreign)).show(std::move(text));
}

/// Removes those columns of these keys in which no row has anything.
Table withoutEmpty(Table table, const std::vector<std::string_view>& keys)
{
    for (const std::string_view key : keys) {
        const auto column = static_cast<std::size_t>(
            std::ranges::find(table.columns, key, &TableColumn::key) - table.columns.begin());
        if (std::ranges::all_of(table.rows, [column](const TableRow& row) { return row[column].isEmpty(); }))
            table = withoutColumns(std::move(table), {key});
    }
    return table;
}

/// Returns what ran out, or that something else failed.
std::string_view failureKind(LogEvent::Kind kind)
{
    switch (kind) {
    case LogEvent::Kind::Oom: return "GPU memory";
    case LogEvent::Kind::DriverOom: return "driver's memory";
    case LogEvent::Kind::HostOom: return "host memory";
    case LogEvent::Kind::EngineOom: return "engine's share";
    case LogEvent::Kind::Unclear: return "perhaps memory";
    case LogEvent::Kind::Other:
    case LogEvent::Kind::Warning: break;
    }
    return "not memory";
}

} // namespace

Table failureTable(const Trace& log)
{
    Table table{"failures", "Failures in the log",
        {{"Failed", "kind"}, {"Rank", "rank"}, {"GPU", "device"}, {"Step", "step"},
            {"Requested", "requested_bytes", true}, {"Place", "place"}, {"Line", "line", true},
            {"GPU used", "in_use_bytes", true, "By all processes: the capacity without what was free"},
            {"Free", "free_bytes", true}, {"Other process", "other_processes"},
            {"Capacity", "capacity_bytes", true}}};
    bool isOomAlone = true;
    for (const LogFailure& failure : failuresOfEveryKind(log)) {
        const LogEvent& event = log.logEvents[failure.event];
        if (table.rows.size() == kMaxFailures)
            break;
        isOomAlone = isOomAlone && event.kind == LogEvent::Kind::Oom;
        table.rows.push_back({Cell(std::string(failureKind(event.kind))).explain(failureText(log, failure)),
            rankCell(event), deviceCell(event), loggedStepCell(event),
            bytesCell(writtenBytes(event, &OomFigures::requested)),
            textCell(placeInCode(log, event)).explain(failureText(log, failure)),
            countCell(static_cast<std::int64_t>(event.line)), bytesCell(bytesInUse(event)),
            bytesCell(writtenBytes(event, &OomFigures::free)), foreignCell(event),
            bytesCell(writtenBytes(event, &OomFigures::capacity))});
    }
    table = withoutEmpty(std::move(table), {"step", "other_processes"});
    return isOomAlone ? withoutColumns(std::move(table), {"kind"}) : table;
}

Table failedRankTable(const Trace& log)
{
    std::set<std::tuple<std::optional<std::int64_t>, std::string, std::string>> writers;
    for (const LogFailure& failure : failuresOfEveryKind(log)) {
        const LogEvent& event = log.logEvents[failure.event];
        writers.insert({event.rank, event.process, deviceText(event)});
    }
    Table table = failureTable(log);
    table.id = "failed-ranks";
    table.caption = "Failed ranks, in order of failure";
    if (writers.size() < 2)
        table.rows.clear();
    return table;
}

} // namespace highwater
