#include "app/cli/output/log_output.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/log_traceback.h"
#include "core/analysis/logs/oom_message.h"
#include "core/analysis/logs/series_pairs.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"
#include "core/base/valid_text.h"
#include "core/table/log_tables.h"
#include "core/table/series_tables.h"

namespace highwater::cli {

namespace {

constexpr std::size_t kMaxSeries = 60;
constexpr std::size_t kMaxOtherSeries = 12; ///< shown if no series measures memory
constexpr std::size_t kMaxFailuresOfALog = 20;
constexpr std::size_t kMaxSettings = 12;
constexpr std::size_t kLongestSetting = 120;

/// Returns the number of rows of `seriesTable` that measure memory; they come first.
std::size_t memoryRows(const Trace& trace)
{
    return static_cast<std::size_t>(std::ranges::count_if(trace.counters, [](const CounterSeries& series) {
        return (measuresDevice(series) || series.unit == "bytes") && seriesFigures(series).has_value();
    }));
}

/// Prints the first `kMaxSeries` series of memory, or the first `kMaxOtherSeries` series if none is of
/// memory. With `all`, prints every series.
void printSeries(const Trace& trace, bool all)
{
    Table table = seriesTable(trace);
    table.caption.clear();
    const std::size_t total = table.rows.size();
    const std::size_t memory = memoryRows(trace);
    const std::size_t shown = all ? total : std::min(memory > 0 ? memory : kMaxOtherSeries, kMaxSeries);
    if (shown < total) {
        table.rows.resize(shown);
        table.leftOut = fmt::format("and {}{} (--all prints them)",
            counted(total - shown, "more series", "more series"),
            shown < memory ? "" : " that do not measure memory");
    }
    if (table.rows.empty())
        return;
    std::vector<std::pair<std::string, std::string>> notes; // series, and the note that they share
    for (const TableRow& row : table.rows) {
        if (row.back().isEmpty())
            continue;
        const auto same
            = std::ranges::find(notes, cellText(row.back()), [](const auto& note) { return note.second; });
        if (same == notes.end())
            notes.emplace_back(cellText(row.front()), cellText(row.back()));
        else
            same->first += "; " + cellText(row.front());
    }
    printTable(withoutColumns(std::move(table), {"note"}));
    for (const auto& [name, note] : notes)
        printOut("  {}: {}\n", sanitizedText(name), sanitizedText(note));
}

void printFrame(const Trace& trace, const LogEvent& event)
{
    if (const std::optional<std::size_t> user = findUserFrame(trace, event)) {
        const LogFrame& frame = event.frames[*user];
        const std::string_view source = trace.text(frame.source);
        printOut("    at {}{}\n",
            codePlaceText(trace.text(frame.function), trace.text(frame.file), frame.line),
            source.empty() ? "" : ": " + sanitizedText(source));
    }
    if (const std::optional<NamedTensor> tensor = requestedTensor(trace, event))
        printOut("    tensor {}{}\n", toText(*tensor),
            explainsRequest(*tensor, event) ? ", the requested size" : "");
}

void printFailure(const Trace& trace, const SharedFailure& failure, const Style& style)
{
    const LogEvent& event = trace.logEvents[failure.first.event];
    const std::int64_t copyCount = failure.first.copies;
    printOut("  {}\n",
        style.warning(fmt::format("out of memory, {}{}{}", placeText(event),
            copyCount > 1 ? fmt::format(", written {} times", copyCount) : "",
            event.fatal == false ? "; the run went on" : "")));
    if (event.figures) {
        const OomReading reading = readOom(event);
        printOut("    {}\n    {}\n", figuresText(*event.figures), reading.verdict);
        for (const std::string& contradiction : reading.contradictions)
            printOut("    {}\n", style.warning("the figures contradict each other: " + contradiction));
    }
    if (event.lowTrust)
        printOut("    several processes wrote these lines at once, so they may be garbled\n");
    printFrame(trace, event);
}

void printFailuresOfALog(const Trace& trace, const Style& style, bool all)
{
    const std::vector<SharedFailure> failures = sharedFailures(trace);
    const std::size_t shown = all ? failures.size() : std::min(failures.size(), kMaxFailuresOfALog);
    for (std::size_t i = 0; i < shown; ++i)
        printFailure(trace, failures[i], style);
    if (Table ranks = failedRankTable(trace); !ranks.rows.empty()) {
        if (!all)
            cutRows(ranks, kMaxFailuresOfALog, "failures");
        printTable(ranks);
    }
    if (shown < failures.size())
        printOut("  and {} (--all prints them)\n",
            counted(failures.size() - shown, "more failure", "more failures"));
}

std::string_view failureKindText(const LogEvent& event)
{
    switch (event.kind) {
    case LogEvent::Kind::HostOom:
        return event.subject == LogEvent::Subject::SharedMemory ? "host shared memory" : "host memory";
    case LogEvent::Kind::EngineOom: return "the engine has no GPU memory left in its share";
    case LogEvent::Kind::Unclear: return "perhaps out of memory";
    case LogEvent::Kind::Other: return "a failure that is not about memory";
    default: return "out of memory outside the allocator";
    }
}

void printOtherMessages(const Trace& trace, const Style& style, bool all)
{
    std::int64_t warningCount = 0;
    std::size_t shown = 0;
    for (const LogEvent& event : trace.logEvents) {
        warningCount += event.kind == LogEvent::Kind::Warning;
        const bool isOtherFailure
            = event.kind != LogEvent::Kind::Oom && event.kind != LogEvent::Kind::Warning;
        if (!isOtherFailure || (++shown > kMaxFailuresOfALog && !all))
            continue;
        printOut("  {}\n",
            style.warning(
                fmt::format("{}, {}: {}", failureKindText(event), placeText(event), messageExcerpt(event))));
    }
    if (warningCount > 0)
        printOut("  {} about memory\n", counted(warningCount, "warning", "warnings"));
}

void printConfiguration(const Trace& trace, const Style& style, bool all)
{
    const std::vector<ConfigurationEntry>& entries = trace.metadata.configuration;
    if (entries.empty())
        return;
    const std::size_t shown = all ? entries.size() : std::min(entries.size(), kMaxSettings);
    printOut("  {}{} of the run{}:\n", shown < entries.size() ? fmt::format("First {} of ", shown) : "",
        counted(entries.size(), "setting", "settings"), shown < entries.size() ? " (--all prints all)" : "");
    for (std::size_t i = 0; i < shown; ++i)
        printOut("    {}\n",
            style.quiet(sanitizedText(fmt::format("{} = {}  ({}, line {})", entries[i].name,
                cutText(entries[i].value, all ? std::string::npos : kLongestSetting), entries[i].origin,
                entries[i].line))));
}

} // namespace

void printLog(const Trace& trace, const Style& style, bool all)
{
    printSeries(trace, all);
    printFailuresOfALog(trace, style, all);
    printOtherMessages(trace, style, all);
    printConfiguration(trace, style, all);
}

} // namespace highwater::cli
