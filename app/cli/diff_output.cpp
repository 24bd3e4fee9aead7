#include "app/cli/diff_output.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

Json runJson(const DiffedRun& run)
{
    const CurvePeak peak = run.study.curve.peak();
    return {{"path", run.path}, {"device", run.study.about().ordinal},
        {"kind", toText(run.study.about().kind)}, {"quantity", toText(run.study.allocations.quantity())},
        {"peak_bytes", peak.bytes}, {"peak_event", peak.event}, {"event", run.event},
        {"bytes", run.study.curve.at(run.event)}};
}

Json rowJson(const DiffRow& row)
{
    Json json = {{"key", row.key}, {"before_bytes", row.before.bytes}, {"before_count", row.before.count},
        {"after_bytes", row.after.bytes}, {"after_count", row.after.count}, {"delta_bytes", row.delta()},
        {"status", toText(row.status())}};
    if (!row.beforeKey.empty())
        json["before_key"] = row.beforeKey;
    if (row.loose)
        json["loose"] = true;
    if (const std::optional<double> ratio = row.sizeRatio()) {
        json["before_each_bytes"] = row.before.eachBytes;
        json["after_each_bytes"] = row.after.eachBytes;
        json["size_ratio"] = *ratio;
    }
    return json;
}

Json stepsJson(const DiffReport& report)
{
    Json list = Json::array();
    for (const StepPair& pair : report.steps.pairs) {
        const auto peak = [](const DiffedRun& run, const std::optional<std::size_t>& step) {
            return step ? Json(run.study.steps.steps[*step].peakBytes) : Json(nullptr);
        };
        Json json = {{"before", pair.before ? Json(*pair.before) : Json(nullptr)},
            {"after", pair.after ? Json(*pair.after) : Json(nullptr)},
            {"before_peak_bytes", peak(report.before, pair.before)},
            {"after_peak_bytes", peak(report.after, pair.after)}, {"delta_bytes", nullptr}};
        if (pair.before && pair.after)
            json["delta_bytes"] = report.after.study.steps.steps[*pair.after].peakBytes
                - report.before.study.steps.steps[*pair.before].peakBytes;
        list.push_back(std::move(json));
    }
    return list;
}

/// "+1.50 GiB", "−3.00 MiB", "0 B".
std::string signedBytes(Bytes bytes)
{
    if (bytes == 0)
        return "0 B";
    return (bytes > 0 ? "+" : "−") + formatBytes(bytes > 0 ? bytes : -bytes);
}

std::string ratioText(const DiffRow& row)
{
    const std::optional<double> ratio = row.sizeRatio();
    return !ratio || row.before.eachBytes == row.after.eachBytes ? std::string()
                                                                 : fmt::format("×{:.3g}", *ratio);
}

void printRun(const char* name, const DiffedRun& run)
{
    const CurvePeak peak = run.study.curve.peak();
    fmt::print("{:<7} {}  {}  {} {} ({}) {}{}\n", name, sanitizedText(run.path), run.study.about().label(),
        formatBytes(run.study.curve.at(run.event)), toText(run.study.allocations.quantity()),
        formatExactBytes(run.study.curve.at(run.event)),
        run.event < 0 ? std::string("before the first event") : "after event " + formatCount(run.event),
        run.event == peak.event ? ", the peak" : "");
}

void printRows(const DiffReport& report, std::size_t top)
{
    using Align = TextTable::Align;
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
        Align::Left, Align::Left});
    table.add({"difference", "before", "count", "after", "count", "each", "status", report.group});
    const std::size_t shown = top == 0 ? report.diff.rows.size() : std::min(top, report.diff.rows.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const DiffRow& row = report.diff.rows[i];
        table.add({signedBytes(row.delta()), formatBytes(row.before.bytes), formatCount(row.before.count),
            formatBytes(row.after.bytes), formatCount(row.after.count), ratioText(row),
            std::string(toText(row.status())) + (row.loose ? " (loosely matched)" : ""), shortKey(row.key)});
    }
    DiffRow rest;
    for (std::size_t i = shown; i < report.diff.rows.size(); ++i) {
        rest.before.bytes += report.diff.rows[i].before.bytes;
        rest.before.count += report.diff.rows[i].before.count;
        rest.after.bytes += report.diff.rows[i].after.bytes;
        rest.after.count += report.diff.rows[i].after.count;
    }
    if (shown < report.diff.rows.size())
        table.add({signedBytes(rest.delta()), formatBytes(rest.before.bytes), formatCount(rest.before.count),
            formatBytes(rest.after.bytes), formatCount(rest.after.count), "", "",
            fmt::format(
                "({} more)", formatCount(static_cast<std::int64_t>(report.diff.rows.size() - shown)))});
    fmt::print("{}", table.text());
}

void printSteps(const DiffReport& report)
{
    constexpr std::size_t most = 12;
    using Align = TextTable::Align;
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Right, Align::Right});
    table.add({"step before", "peak", "step after", "peak", "difference"});
    const std::size_t shown = std::min(most, report.steps.pairs.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const StepPair& pair = report.steps.pairs[i];
        const Step* before = pair.before ? &report.before.study.steps.steps[*pair.before] : nullptr;
        const Step* after = pair.after ? &report.after.study.steps.steps[*pair.after] : nullptr;
        table.add({before ? sanitizedText(before->name) : "–", before ? formatBytes(before->peakBytes) : "",
            after ? sanitizedText(after->name) : "–", after ? formatBytes(after->peakBytes) : "",
            before && after ? signedBytes(after->peakBytes - before->peakBytes) : ""});
    }
    if (shown < report.steps.pairs.size())
        table.add({fmt::format("({} more)", report.steps.pairs.size() - shown)});
    fmt::print("Steps, put beside each other by {}\n{}", toText(report.steps.alignment), table.text());
}

void printSettings(const std::vector<SettingChange>& settings)
{
    using Align = TextTable::Align;
    TextTable table({Align::Left, Align::Left, Align::Left});
    table.add({"setting", "before", "after"});
    for (const SettingChange& change : settings)
        table.add({sanitizedText(change.name), change.before.empty() ? "–" : sanitizedText(change.before),
            change.after.empty() ? "–" : sanitizedText(change.after)});
    fmt::print("Settings that differ\n{}", table.text());
}

} // namespace

void printDiffJson(const DiffReport& report)
{
    Json document = {{"before", runJson(report.before)}, {"after", runJson(report.after)},
        {"quantity", toText(report.diff.quantity)}, {"inferred", report.inferred}, {"group", report.group},
        {"delta_bytes", report.diff.delta()}, {"rows", Json::array()}, {"steps", stepsJson(report)},
        {"step_alignment", toText(report.steps.alignment)}, {"settings", Json::array()}};
    for (const DiffRow& row : report.diff.rows)
        document["rows"].push_back(rowJson(row));
    for (const SettingChange& change : report.settings)
        document["settings"].push_back(
            {{"name", change.name}, {"before", change.before}, {"after", change.after}});
    fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

void printDiff(const DiffReport& report, std::size_t top)
{
    const Style style = Style::forStdout();
    printRun("before", report.before);
    printRun("after", report.after);
    const Bytes delta = report.diff.delta();
    fmt::print("{}{}\n\n",
        style.strong(delta == 0 ? std::string("no difference in bytes") : signedBytes(delta)),
        report.inferred ? " (allocated bytes of one run are inferred by the allocator's rounding rule)" : "");
    printRows(report, top);
    fmt::print("\n");
    printSteps(report);
    if (!report.settings.empty()) {
        fmt::print("\n");
        printSettings(report.settings);
    }
}

} // namespace highwater::cli
