#include "app/cli/output/log_output.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/print_table.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/log_traceback.h"
#include "core/analysis/logs/oom_message.h"
#include "core/base/text_format.h"
#include "core/table/series_tables.h"

namespace highwater::cli {

namespace {

constexpr std::size_t kMostSeries = 60;
constexpr std::size_t kMostFailures = 20;
constexpr std::size_t kMostSettings = 12;
constexpr std::size_t kLongestSetting = 60;

void printSeries(const Trace& trace)
{
    Table table = seriesTable(trace);
    table.caption.clear();
    cutRows(table, kMostSeries, "series");
    if (!table.rows.empty())
        printTable(table);
}

void printFrame(const Trace& trace, const LogEvent& event)
{
    if (const std::optional<std::size_t> user = userFrameOf(trace, event)) {
        const LogFrame& frame = event.frames[*user];
        const std::string_view source = trace.text(frame.source);
        printOut("    at {} ({}:{}){}\n", sanitizedText(trace.text(frame.function)),
            sanitizedText(trace.text(frame.file)), frame.line,
            source.empty() ? "" : ": " + sanitizedText(source));
    }
    if (const std::optional<NamedTensor> tensor = tensorOf(trace, event))
        printOut("    tensor {}{}\n", toText(*tensor),
            explainsRequest(*tensor, event) ? ": what was requested" : "");
}

void printFailure(const Trace& trace, const SharedFailure& failure, const Style& style)
{
    const LogEvent& event = trace.logEvents[failure.first.event];
    const std::int64_t copies = failure.first.copies;
    printOut("  {}\n",
        style.warning(fmt::format("out of memory, {}{}{}", placeText(event),
            copies > 1 ? fmt::format(", written {} times", copies) : "",
            event.fatal ? "" : "; the run went on")));
    if (event.figures) {
        const OomReading reading = readOom(event);
        printOut("    {}\n    {}\n", figuresText(*event.figures), reading.verdict);
        for (const std::string& contradiction : reading.contradictions)
            printOut("    {}\n", style.warning("the figures contradict each other: " + contradiction));
    }
    if (event.lowTrust)
        printOut("    several writers are mixed in these lines: low trust\n");
    printFrame(trace, event);
    if (!failure.others.empty())
        printOut("    {}\n", othersText(trace, failure));
}

void printFailures(const Trace& trace, const Style& style)
{
    const std::vector<SharedFailure> failures = sharedFailures(trace);
    const std::size_t shown = failures.size();
    for (std::size_t i = 0; i < std::min(shown, kMostFailures); ++i)
        printFailure(trace, failures[i], style);
    if (shown > kMostFailures)
        printOut("  and {} more failures\n", shown - kMostFailures);
}

void printOthers(const Trace& trace, const Style& style)
{
    std::int64_t warnings = 0;
    std::size_t shown = 0;
    for (const LogEvent& event : trace.logEvents) {
        warnings += event.kind == LogEvent::Kind::Warning;
        const bool isOther = event.kind == LogEvent::Kind::DriverOom || event.kind == LogEvent::Kind::HostOom;
        if (!isOther || ++shown > kMostFailures)
            continue;
        printOut("  {}\n",
            style.warning(fmt::format("{}, {}: {}",
                event.kind == LogEvent::Kind::HostOom ? "host memory"
                                                      : "out of memory outside of the allocator",
                placeText(event), sanitizedText(event.text.substr(0, 160)))));
    }
    if (warnings > 0)
        printOut("  {} about memory\n", counted(warnings, "warning", "warnings"));
}

void printConfiguration(const Trace& trace, const Style& style)
{
    const std::vector<ConfigurationEntry>& entries = trace.metadata.configuration;
    if (entries.empty())
        return;
    printOut("  {} settings of the run{}\n", formatCount(entries.size()),
        entries.size() > kMostSettings ? ", the first of them:" : ":");
    for (std::size_t i = 0; i < entries.size() && i < kMostSettings; ++i)
        printOut("    {}\n",
            style.quiet(sanitizedText(fmt::format("{} = {}  ({}, line {})", entries[i].name,
                entries[i].value.substr(0, kLongestSetting), entries[i].origin, entries[i].line))));
}

} // namespace

void printLog(const Trace& trace, const Style& style)
{
    printSeries(trace);
    printFailures(trace, style);
    printOthers(trace, style);
    printConfiguration(trace, style);
}

} // namespace highwater::cli
