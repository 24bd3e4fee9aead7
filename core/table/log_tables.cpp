#include "core/table/log_tables.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/log_traceback.h"
#include "core/base/text/name_text.h"
#include "core/base/text_parts.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

constexpr std::size_t kMostFailedRanks = 4096;

std::string placeInCode(const Trace& log, const LogEvent& event)
{
    const std::optional<std::size_t> userFrame = userFrameOf(log, event);
    if (!userFrame)
        return {};
    const LogFrame& frame = event.frames[*userFrame];
    return fmt::format("{}:{} {}", nameText(sourceFileName(log.text(frame.file))), frame.line,
        nameText(log.text(frame.function)));
}

Cell writtenCell(const LogEvent& event, std::optional<WrittenBytes> OomFigures::*amount)
{
    return event.figures && *event.figures.*amount ? bytesCell((*event.figures.*amount)->bytes) : Cell();
}

} // namespace

Table failedRankTable(const Trace& log)
{
    Table table{"failed-ranks", "Failed ranks, in order of failure",
        {{"Rank", "rank"}, {"Device", "device"}, {"Requested", "requested_bytes", true},
            {"Free", "free_bytes", true}, {"Place", "place"}, {"Line", "line", true}}};
    std::set<std::tuple<std::optional<std::int64_t>, std::string, std::string>> writers;
    for (const LogFailure& failure : failuresOfEveryKind(log)) {
        const LogEvent& event = log.logEvents[failure.event];
        writers.insert({event.rank, event.process, deviceText(event)});
        if (table.rows.size() == kMostFailedRanks)
            break;
        table.rows.push_back({textCell(event.rank ? std::to_string(*event.rank) : nameText(event.process)),
            textCell(deviceText(event)), writtenCell(event, &OomFigures::requested),
            writtenCell(event, &OomFigures::free), textCell(placeInCode(log, event)),
            countCell(static_cast<std::int64_t>(event.line))});
    }
    if (writers.size() < 2)
        table.rows.clear();
    return table;
}

} // namespace highwater
