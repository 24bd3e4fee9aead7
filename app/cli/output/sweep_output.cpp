#include "app/cli/output/sweep_output.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "core/base/json_or_null.h"
#include "core/base/text_format.h"
#include "core/table/category_columns.h"
#include "core/table/sweep_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;
Json runJson(const SweepRow& row)
{
    const SweepRun& run = row.run;
    if (!run.isReadable())
        return {{"path", run.path}, {"name", row.name}, {"error", run.error}};
    Json categories = Json::object();
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        categories[std::string(toText(static_cast<Category>(i)))] = run.categories[i];
    return {{"path", run.path}, {"name", row.name}, {"device", run.device},
        {"quantity", toText(run.quantity)}, {"inferred", run.inferred}, {"incomplete", run.incomplete},
        {"events", run.events}, {"peak_bytes", run.peakBytes}, {"peak_event", run.peakEvent},
        {"peak_step", run.peakStep.empty() ? Json(nullptr) : Json(run.peakStep)},
        {"peak_phase", run.peakPhase == Phase::Unknown ? Json(nullptr) : Json(toText(run.peakPhase))},
        {"reserved_peak_bytes", orNull(run.reservedPeakBytes)}, {"delta_bytes", orNull(row.deltaBytes)},
        {"ooms", run.ooms}, {"categories", std::move(categories)}, {"outline", run.outline}};
}

} // namespace

void printSweepJson(const RunSweep& sweep, const std::vector<std::size_t>& rows)
{
    Json document = {{"quantity", toText(sweep.quantity)}, {"inferred", sweep.inferred},
        {"runs", Json::array()}, {"settings", Json::array()}};
    for (const std::size_t row : rows)
        document["runs"].push_back(runJson(sweep.rows[row]));
    for (const SettingOfRuns& setting : sweep.settings) {
        Json values = Json::array();
        for (const std::size_t row : rows)
            values.push_back(orNull(setting.values[row]));
        document["settings"].push_back({{"name", setting.name}, {"values", std::move(values)}});
    }
    printDocument(document);
}

void printSweep(const RunSweep& sweep, const std::vector<std::size_t>& rows)
{
    Table runs = withRows(sweepTable(sweep), rows);
    Table categories = withoutColumns(
        runs, [](const TableColumn& column) { return column.key != "name" && !isOfCategory(column); });
    runs = withoutColumns(std::move(runs), isOfCategory);
    runs.caption
        = fmt::format("{} runs, {} bytes{}", formatCount(std::ssize(sweep.rows)), toText(sweep.quantity),
            sweep.inferred ? " (of some runs inferred by the allocator's rounding rule)" : "");
    printTable(runs);
    for (const std::string& sentence : sweepSentences(sweep))
        printOut("{}\n", sentence);
    categories.caption = "At the peak";
    printOut("\n");
    printTable(categories);
    if (sweep.settings.empty())
        return;
    printOut("\n");
    printTable(sweepValueTable(sweep, rows));
}

} // namespace highwater::cli
