#include "app/cli/output/sweep_output.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/console/text_table.h"
#include "core/base/json_or_null.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;
using Align = TextTable::Align;

constexpr std::size_t kSparkColumns = 24;

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

std::string peakText(const SweepRun& run)
{
    std::string text
        = run.peakEvent < 0 ? std::string("at the start") : "at event " + formatCount(run.peakEvent);
    if (!run.peakStep.empty())
        text += ", " + sanitizedText(run.peakStep);
    if (run.peakPhase != Phase::Unknown)
        text += fmt::format(", {}", toText(run.peakPhase));
    return text;
}

std::vector<std::string> cells(const RunSweep& sweep, std::size_t index, Bytes highest)
{
    const SweepRow& row = sweep.rows[index];
    const SweepRun& run = row.run;
    if (!run.isReadable())
        return {sanitizedText(row.name), "cannot be read"};
    std::string remarks = run.ooms == 0 ? ""
        : run.ooms == 1                 ? "out of memory"
                                        : fmt::format("out of memory {} times", formatCount(run.ooms));
    if (run.incomplete)
        remarks += remarks.empty() ? "incomplete" : ", incomplete";
    return {sanitizedText(row.name), formatBytes(run.peakBytes),
        index == sweep.reference ? "the first"
            : row.deltaBytes     ? formatBytesDelta(*row.deltaBytes)
                                 : "",
        run.reservedPeakBytes ? formatBytes(*run.reservedPeakBytes) : "–", formatCount(run.events),
        peakText(run), sparkline(condensed(run.outline, kSparkColumns), highest), remarks};
}

void printCategories(const RunSweep& sweep, const std::vector<std::size_t>& rows)
{
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (std::any_of(sweep.rows.begin(), sweep.rows.end(),
                [i](const SweepRow& row) { return row.run.categories[i] != 0; }))
            shown.push_back(i);
    std::vector<Align> columns(shown.size() + 1, Align::Right);
    columns.front() = Align::Left;
    TextTable table(std::move(columns));
    std::vector<std::string> head = {"at the peak"};
    for (const std::size_t category : shown)
        head.emplace_back(titleOf(static_cast<Category>(category)));
    table.add(std::move(head));
    for (const std::size_t row : rows) {
        std::vector<std::string> line = {sanitizedText(sweep.rows[row].name)};
        for (const std::size_t category : shown)
            if (sweep.rows[row].run.isReadable())
                line.push_back(formatBytes(sweep.rows[row].run.categories[category]));
        table.add(std::move(line));
    }
    printOut("\n{}", table.text());
}

/// One line for each value, with the runs that have it.
void printSettings(const RunSweep& sweep, const std::vector<std::size_t>& rows)
{
    if (sweep.settings.empty())
        return;
    TextTable table({Align::Left, Align::Left, Align::Left});
    table.add({"setting", "value", "runs"});
    for (const SettingOfRuns& setting : foldedLists(sweep.settings)) {
        std::map<std::string, std::vector<std::string>> runsOf;
        for (const std::size_t row : rows)
            if (const std::optional<std::string>& value = setting.values[row])
                runsOf[value->empty() ? "–" : sanitizedText(*value)].push_back(
                    sanitizedText(sweep.rows[row].name));
        std::string name = sanitizedText(setting.name);
        for (const auto& [value, runs] : runsOf) {
            table.add({name, value, namesText(runs)});
            name.clear();
        }
    }
    printOut("\nSettings that differ\n{}", table.text());
}

} // namespace

std::string sparkline(const std::vector<Bytes>& outline, Bytes highest)
{
    static constexpr std::array<const char*, 8> blocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::string text;
    for (const Bytes bytes : outline) {
        const double share = highest > 0 ? double(bytes) / double(highest) : 0;
        text += blocks[std::min<std::size_t>(static_cast<std::size_t>(std::max(share, 0.0) * 8), 7)];
    }
    return text;
}

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
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left,
        Align::Left, Align::Left});
    table.add({"run", "peak", "against the first", "reserved", "events", "where", "curve", ""});
    const Bytes highest = highestPeak(sweep);
    for (const std::size_t row : rows)
        table.add(cells(sweep, row, highest));
    printOut("{}\n{}",
        Style::forStdout().strong(
            fmt::format("{} runs, {} bytes{}", formatCount(std::ssize(sweep.rows)), toText(sweep.quantity),
                sweep.inferred ? " (of some runs inferred by the allocator's rounding rule)" : "")),
        table.text());
    for (const std::string& sentence : sweepSentences(sweep))
        printOut("{}\n", sentence);
    printCategories(sweep, rows);
    printSettings(sweep, rows);
}

} // namespace highwater::cli
