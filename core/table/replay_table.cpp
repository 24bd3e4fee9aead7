#include "core/table/replay_table.h"

#include <fmt/format.h>

#include "core/base/text_format.h"
#include "core/table/cells.h"

namespace highwater {

namespace {

std::string failuresText(const WhatIfResult& result)
{
    if (result.newFailures > 0)
        return fmt::format("memory runs out at event {}", formatCount(result.firstNewFailure));
    if (result.failures.empty())
        return {};
    const std::int64_t fitting = result.fittingFailures();
    return fmt::format("{} of {} fit{}", formatCount(fitting), formatCount(result.failures.size()),
        fitting == 0 ? "" : ", " + formatBytes(result.leastSpareBytes()) + " free");
}

TableRow replayRow(const std::string& name, const WhatIfResult& result, Cell saved)
{
    return {name, textCell(failuresText(result)), std::move(saved), bytesCell(result.reservedPeak),
        bytesCell(result.allocatedAtPeak), bytesCell(result.freeAtPeak()),
        countCell(result.calls.allocations), countCell(result.calls.flushes)};
}

} // namespace

Table replayTable(const SettingsStudy& study, const std::string& question, const WhatIfResult* asked)
{
    Table table{"replays", {},
        {{"Settings", "change"}, {"Failed requests", "out_of_memory"}, {"Saved", "saved_bytes", true},
            {"Peak reserved", "reserved_peak_bytes", true},
            {"In use at that peak", "allocated_at_peak_bytes", true},
            {"Free at that peak", "free_at_peak_bytes", true}, {"Driver calls", "driver_allocations", true},
            {"Flushes", "flushes", true}},
        {replayRow("as recorded", study.recorded, {})}, {}, {}};
    const auto add = [&](const std::string& name, const WhatIfResult& result) {
        table.rows.push_back(
            replayRow(name, result, bytesCell(study.recorded.reservedPeak - result.reservedPeak)));
    };
    if (asked)
        add(question, *asked);
    for (const SettingsAdvice& advice : study.advice)
        add(advice.change, advice.result);
    return table;
}

} // namespace highwater
