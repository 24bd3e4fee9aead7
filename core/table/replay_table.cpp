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
    const auto all = static_cast<std::int64_t>(result.failures.size());
    const std::int64_t fitting = result.fittingFailures();
    return fitting == 0  ? "no"
        : fitting == all ? "yes"
                         : fmt::format("{} of {}", formatCount(fitting), formatCount(all));
}

TableRow replayRow(const std::string& name, const WhatIfResult& result, Cell saved)
{
    const bool hasSpare = result.newFailures == 0 && result.fittingFailures() > 0;
    return {name, textCell(failuresText(result)), hasSpare ? bytesCell(result.leastSpareBytes()) : Cell{},
        std::move(saved), bytesCell(result.reservedPeak)};
}

} // namespace

Table replayTable(const SettingsStudy& study, const std::string& question, const WhatIfResult* asked)
{
    Table table{"replays", {},
        {{"Settings", "change"}, {"Request fits", "out_of_memory"}, {"To spare", "spare_bytes", true},
            {"Saved", "saved_bytes", true}, {"Peak reserved", "reserved_peak_bytes", true}},
        {replayRow("as recorded", study.recorded, {})}, {}, {}};
    const auto add = [&](const std::string& name, const WhatIfResult& result) {
        table.rows.push_back(
            replayRow(name, result, bytesCell(study.recorded.reservedPeak - result.reservedPeak)));
    };
    if (asked)
        add(question, *asked);
    for (const SettingsAdvice& advice : study.advice)
        add(advice.change, advice.result);
    const auto others = static_cast<std::int64_t>(study.tried.size() - study.advice.size());
    if (others > 0 && !study.advice.empty() && study.doubt.empty())
        table.rows.push_back(
            {counted(others, "other setting does", "other settings do") + " not help", {}, {}, {}, {}});
    return table;
}

} // namespace highwater
