#include "app/cli/output/log_diff_output.h"

#include <algorithm>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "app/cli/console/terminal.h"
#include "app/cli/output/diff_output.h"
#include "app/cli/output/log_output.h"
#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/memory_series.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/table/series_tables.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxFailuresOfARun = 20;

Json stepOrNull(std::int64_t step)
{
    return step == CounterSeries::kNoStep ? Json(nullptr) : Json(step);
}

/// Returns the value, as an integer if it is in bytes.
Json number(const SeriesPair& pair, double value)
{
    return pair.isBytes ? Json(wholeBytes(value)) : Json(value);
}

Json seriesJson(const LogDiffReport& report, const SeriesPair& pair)
{
    const CounterSeries& before = report.before.counters[pair.before];
    const CounterSeries& after = report.after.counters[pair.after];
    Json json = {{"key", seriesTitle(before)}, {"name", before.name}, {"after_name", after.name},
        {"metric", textOrNull(before.metric)},
        {"quantity", before.quantity ? Json(toText(*before.quantity)) : Json(nullptr)},
        {"peak_since", textOrNull(before.since == PeakSince::NotAPeak ? "" : toText(before.since))},
        {"unit", before.unit}, {"rank", orNull(before.rank)}, {"device", orNull(before.deviceOrdinal)},
        {"before_points", pair.beforeFigures.points}, {"after_points", pair.afterFigures.points}};
    const std::string unit = pair.isBytes ? "_bytes" : "";
    const auto addValues = [&](const std::string& name, double SeriesFigures::*figure) {
        const Json beforeValue = number(pair, pair.beforeFigures.*figure);
        const Json afterValue = number(pair, pair.afterFigures.*figure);
        json["before_" + name + unit] = beforeValue;
        json["after_" + name + unit] = afterValue;
        json["delta_" + name + unit] = pair.isBytes
            ? Json(afterValue.get<Bytes>() - beforeValue.get<Bytes>())
            : Json(pair.afterFigures.*figure - pair.beforeFigures.*figure);
    };
    addValues("first", &SeriesFigures::first);
    addValues("last", &SeriesFigures::last);
    addValues("largest", &SeriesFigures::largest);
    json["before_largest_step"] = stepOrNull(pair.beforeFigures.largestStep);
    json["after_largest_step"] = stepOrNull(pair.afterFigures.largestStep);
    return json;
}

Json loggedRunJson(const std::string& path, const Trace& log, const SeriesPair* pair, bool isBefore)
{
    Json json = {{"path", path}, {"format", toText(log.metadata.kind)}, {"quantity", nullptr},
        {"peak_bytes", nullptr}, {"peak_event", nullptr}, {"peak_step", nullptr}};
    if (!pair)
        return json;
    const CounterSeries& series = log.counters[isBefore ? pair->before : pair->after];
    const SeriesFigures& figures = isBefore ? pair->beforeFigures : pair->afterFigures;
    if (series.quantity)
        json["quantity"] = toText(*series.quantity);
    json["peak_bytes"] = wholeBytes(figures.largest);
    json["peak_step"] = stepOrNull(figures.largestStep);
    json["sampled"] = isSampled(series);
    return json;
}

Json logFailuresJson(const Trace& log, const std::vector<LogFailure>& failures)
{
    Json list = Json::array();
    for (const LogFailure& failure : failures) {
        const LogEvent& event = log.logEvents[failure.event];
        Json json = {{"line", event.line}, {"step", stepOrNull(event.step)}, {"rank", orNull(event.rank)},
            {"copies", failure.copies}, {"text", event.text}};
        const OomFigures figures = event.figures.value_or(OomFigures());
        json["requested_bytes"] = bytesJson(figures.requested);
        json["device_free_bytes"] = bytesJson(figures.free);
        json["capacity_bytes"] = bytesJson(figures.capacity);
        json["allocated_bytes"] = bytesJson(figures.allocated);
        list.push_back(std::move(json));
    }
    return list;
}

void printSeriesPairs(const LogDiffReport& report, std::size_t top)
{
    Table table = seriesPairTable(report.before, report.diff);
    if (top > 0)
        cutRows(table, top, "series");
    if (!table.rows.empty()) {
        printOut("\n");
        printTable(table);
    }
    if (report.diff.onlyBefore + report.diff.onlyAfter > 0)
        printOut("{} series before and {} series after are in one log only.\n", report.diff.onlyBefore,
            report.diff.onlyAfter);
}

void printFailuresOfARun(std::string_view run, const Trace& log, const std::vector<LogFailure>& failures)
{
    for (std::size_t i = 0; i < std::min(failures.size(), kMaxFailuresOfARun); ++i)
        printOut("The {} run ran out of memory, {}\n", run, sanitizedText(failureText(log, failures[i])));
    if (failures.size() > kMaxFailuresOfARun)
        printOut("The {} run had {}.\n", run,
            counted(failures.size() - kMaxFailuresOfARun, "more failure", "more failures"));
}

} // namespace

void printLogDiffJson(const LogDiffReport& report, const BothDiagnoses& diagnoses)
{
    const LogDiff& diff = report.diff;
    const SeriesPair* compared = diff.compared ? &diff.series[*diff.compared] : nullptr;
    Json document = {{"before", loggedRunJson(report.beforePath, report.before, compared, true)},
        {"after", loggedRunJson(report.afterPath, report.after, compared, false)}, {"quantity", nullptr},
        {"compared", nullptr}, {"delta_bytes", nullptr}, {"rows", Json::array()}, {"steps", Json::array()},
        {"series", Json::array()}, {"settings", Json::array()},
        {"ooms",
            {{"before", logFailuresJson(report.before, diff.beforeFailures)},
                {"after", logFailuresJson(report.after, diff.afterFailures)}}},
        {"verdict", {{"headline", diff.verdict.headline}, {"details", diff.verdict.details}}}};
    document["before"]["diagnosis"] = diagnoses.before;
    document["after"]["diagnosis"] = diagnoses.after;
    if (compared) {
        const CounterSeries& series = report.before.counters[compared->before];
        document["quantity"] = series.quantity ? Json(toText(*series.quantity)) : Json(nullptr);
        document["compared"] = seriesTitle(series);
        document["delta_bytes"]
            = wholeBytes(compared->afterFigures.largest) - wholeBytes(compared->beforeFigures.largest);
    }
    for (const SeriesPair& pair : diff.series)
        document["series"].push_back(seriesJson(report, pair));
    for (const SettingChange& change : diff.settings)
        document["settings"].push_back(
            {{"name", change.name}, {"before", change.before}, {"after", change.after}});
    printDocument(document);
}

void printLogDiff(const LogDiffReport& report, std::size_t top)
{
    printOut("{}\n", Style::forStdout().strong(report.diff.verdict.headline));
    for (const std::string& sentence : report.diff.verdict.details)
        printOut("{}\n", sentence);
    printOut("\nbefore  {}\nafter   {}\n", sanitizedText(report.beforePath), sanitizedText(report.afterPath));
    printSeriesPairs(report, top);
    if (!report.diff.beforeFailures.empty() || !report.diff.afterFailures.empty())
        printOut("\n");
    printFailuresOfARun("earlier", report.before, report.diff.beforeFailures);
    printFailuresOfARun("later", report.after, report.diff.afterFailures);
    if (!report.diff.settings.empty()) {
        printOut("\n");
        printSettings(report.diff.settings);
    }
}

} // namespace highwater::cli
