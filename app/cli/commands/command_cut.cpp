#include "app/cli/commands/commands.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/input/arguments.h"
#include "app/loading/device_choice.h"
#include "core/analysis/cut/cut_trace.h"
#include "core/analysis/device/device_study.h"
#include "core/base/json.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "core/report/privacy/trace_texts.h"
#include "importers/pytorch_snapshot/snapshot_writer.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kNanosecondsPerSecond = 1e9;

/// Finds the ranges of events that the options select. An invalid selection ends the command.
class RangeChoice
{
public:
    RangeChoice(const Trace& trace, const CutOptions& options)
        : m_trace(trace)
        , m_options(options)
        , m_path(options.common.files.front())
        , m_device(need(m_path, chooseDevice(trace, allFigures(trace), options.device)))
    {
    }

    std::vector<CutRange> ranges() const
    {
        if (!m_options.events.empty())
            return {eventRange()};
        if (!m_options.steps.empty())
            return {stepRange()};
        std::vector<CutRange> chosen;
        for (const DeviceIndex device : devices())
            chosen.push_back(
                m_options.time.empty() ? CutRange{device, 0, m_trace.eventCount(device)} : timeRange(device));
        return chosen;
    }

private:
    /// Returns the requested device, or all devices.
    std::vector<DeviceIndex> devices() const
    {
        if (m_options.device)
            return {m_device};
        std::vector<DeviceIndex> all(m_trace.devices.size());
        std::iota(all.begin(), all.end(), DeviceIndex{0});
        return all;
    }

    CutRange eventRange() const
    {
        const EventRange range
            = need(m_path, parseEventRange(m_options.events, m_trace.eventCount(m_device)));
        return {m_device, std::max<std::int64_t>(range.first, 0), range.last};
    }

    /// Returns the events of the steps "A:B" (B excluded), or of a single step.
    CutRange stepRange() const
    {
        const DeviceStudy study(m_trace, m_device);
        const std::vector<Step>& steps = study.steps.steps;
        const auto count = static_cast<std::int64_t>(steps.size());
        auto pair = parsedRange<std::int64_t>(m_options.steps);
        if (const auto single = parsedNumber<std::int64_t>(m_options.steps))
            pair = {*single, *single + 1};
        if (!pair || pair->first < 0 || pair->second > count)
            refuse(m_path,
                fmt::format("has no steps {} on {} (A:B with 0 <= A < B <= {})", m_options.steps,
                    study.about().words(), count));
        return {m_device, steps[static_cast<std::size_t>(pair->first)].begin,
            steps[static_cast<std::size_t>(pair->second - 1)].end};
    }

    CutRange timeRange(DeviceIndex device) const
    {
        const auto seconds = parsedRange<double>(m_options.time);
        if (!seconds)
            refuse(m_path, "--time takes A:B in seconds since the first event, with A < B");
        const std::optional<Nanoseconds> origin = firstTime();
        if (!origin || (m_options.device && !m_trace.hasTimes(device)))
            refuse(m_path, "--time: the events have no times");
        const auto nanosecondsAt = [&](double secondsAfterOrigin) {
            return static_cast<double>(*origin) + secondsAfterOrigin * kNanosecondsPerSecond;
        };
        return {device, firstEventAt(device, nanosecondsAt(seconds->first)),
            firstEventAt(device, nanosecondsAt(seconds->second))};
    }

    std::optional<Nanoseconds> firstTime() const
    {
        std::optional<Nanoseconds> first;
        for (DeviceIndex device = 0; device < m_trace.devices.size(); ++device)
            for (std::int64_t event = 0; event < m_trace.eventCount(device); ++event) {
                const Nanoseconds time = m_trace.events.time[m_trace.row(device, event)];
                if (time != 0 && (!first || time < *first))
                    first = time;
            }
        return first;
    }

    /// Returns the first event at or after a time in nanoseconds; the number of events if there is none.
    /// O(events).
    std::int64_t firstEventAt(DeviceIndex device, double time) const
    {
        const std::int64_t events = m_trace.eventCount(device);
        std::int64_t event = 0;
        while (event < events && static_cast<double>(m_trace.events.time[m_trace.row(device, event)]) < time)
            ++event;
        return event;
    }

    const Trace& m_trace;
    const CutOptions& m_options;
    const std::string& m_path;
    DeviceIndex m_device;
};

Json rangesJson(const Trace& trace, const std::vector<CutRange>& ranges)
{
    Json rows = Json::array();
    for (const CutRange& range : ranges)
        rows.push_back({{"device", trace.devices[range.device].ordinal},
            {"kind", toText(trace.devices[range.device].kind)}, {"begin_event", range.first},
            {"end_event", range.last}, {"of_events", trace.eventCount(range.device)}});
    return rows;
}

/// Prints which events were kept, the new size, and which parts of the state at the end of the cut are
/// inferred.
void printCut(const Trace& trace, const CutOptions& options, const std::vector<CutRange>& ranges,
    const CutTrace& cut, Bytes bytes, Bytes originalBytes)
{
    if (options.common.json) {
        printDocument({{"path", options.common.files.front()}, {"out", options.out},
            {"devices", rangesJson(trace, ranges)}, {"bytes", bytes}, {"from_bytes", originalBytes},
            {"reservations", cut.reservations}, {"largest_difference_bytes", cut.largestDifference}});
        return;
    }
    printOut(
        "{}: {} (from {})\n", sanitizedText(options.out), formatBytes(bytes), formatBytes(originalBytes));
    for (const CutRange& range : ranges)
        printOut("  {}  {}\n", trace.devices[range.device].words(), rangeText(trace, range));
    if (ranges.size() < trace.devices.size())
        printOut(
            "  {} omitted\n", counted(trace.devices.size() - ranges.size(), "other device", "other devices"));
    for (const std::string& sentence : cut.reservations)
        printOut("  at the end of the cut: {}\n", sentence);
}

/// Returns the functions that strip paths from the texts of a cut; none if they are kept.
CutTexts textsFor(const CutOptions& options, const std::optional<TraceTexts>& stripped)
{
    if (!options.stripPaths)
        return {};
    return {[&](std::string_view path) { return stripped->file(path); },
        [&](std::string_view text) { return stripped->withoutPaths(text); }};
}

} // namespace

int runCut(const CutOptions& options)
{
    const std::string& path = options.common.files.front();
    if (options.out == "-" && options.common.json)
        refuse("cut", "--json needs -o FILE, since standard output gets the snapshot");
    const LoadedInput input = needInput(path, options.common);
    const Trace& trace = *input.imported->trace;
    if (std::string problem = reasonNotToCut(trace); !problem.empty())
        refuse(path, std::move(problem));
    const std::vector<CutRange> ranges = RangeChoice(trace, options).ranges();
    std::optional<TraceTexts> stripped;
    if (options.stripPaths)
        stripped.emplace(trace);
    const CutTrace cut = need(path, cutTrace(trace, ranges, textsFor(options, stripped)));
    if (cut.largestDifference > 0)
        printErr(
            "highwater: {}: the file's events are inconsistent; live bytes of the part differ by up to {}\n",
            sanitizedText(path), formatBytes(cut.largestDifference));
    OutputFile out = OutputFile::need(options.out, options.force, {path, options.common.logPatterns});
    Bytes bytes = 0;
    const Result<void> written = writeSnapshot(*cut.trace, [&](std::string_view piece) {
        bytes += static_cast<Bytes>(piece.size());
        return out.write(piece);
    });
    if (!written)
        need(options.out, out.finish()); // reports the system's reason
    need(options.out, written);
    need(options.out, out.commit());
    if (options.out != "-")
        printCut(trace, options, ranges, cut, bytes, static_cast<Bytes>(input.imported->fileBytes));
    return exitCodeOf(input);
}

} // namespace highwater::cli
