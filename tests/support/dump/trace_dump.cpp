#include "tests/support/dump/trace_dump.h"

#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "core/base/hash.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Numbers stacks and frames in the order in which the dump reaches them.
class Numbering
{
public:
    explicit Numbering(const Trace& trace)
        : m_trace(trace)
    {
    }

    std::string stack(StackId id)
    {
        if (id.isNone())
            return "-";
        const auto [found, fresh] = m_stacks.try_emplace(id.value(), m_stackOrder.size());
        if (fresh)
            m_stackOrder.push_back(id);
        return fmt::format("s{}", found->second);
    }

    void writeStacks(std::string& out)
    {
        for (std::size_t i = 0; i < m_stackOrder.size(); ++i) {
            fmt::format_to(std::back_inserter(out), "stack s{}\n", i);
            for (FrameId id : m_trace.stacks.frames(m_stackOrder[i]))
                writeFrame(out, m_trace.stacks.frame(id));
        }
    }

private:
    void writeFrame(std::string& out, const Frame& frame)
    {
        fmt::format_to(std::back_inserter(out), "  {} {} {}:{}",
            frame.kind == FrameKind::Python ? "py" : "c++", sanitizedText(m_trace.text(frame.function)),
            sanitizedText(m_trace.text(frame.file)), frame.line);
        if (!frame.details.isNone())
            fmt::format_to(std::back_inserter(out), " {}", m_trace.text(frame.details));
        out += '\n';
    }

    const Trace& m_trace;
    NumberMap<std::uint32_t, std::size_t> m_stacks;
    std::vector<StackId> m_stackOrder;
};

std::string_view toText(BlockState state)
{
    return state == BlockState::Active     ? "active"
        : state == BlockState::PendingFree ? "pending_free"
                                           : "inactive";
}

std::string_view toText(SegmentType type)
{
    return type == SegmentType::Small ? "small" : type == SegmentType::Large ? "large" : "unknown";
}

std::string poolText(const Trace& trace, PoolId pool)
{
    return pool.isNone()
        ? "-"
        : fmt::format("{},{}", trace.pools[pool.index()].first, trace.pools[pool.index()].second);
}

std::int64_t streamHandle(const Trace& trace, StreamId stream)
{
    return stream.isNone() ? 0 : trace.streams[stream.index()];
}

/// Writes how much of a cut-off file was read.
void writeExtent(std::string& out, const Device& device)
{
    const auto to = std::back_inserter(out);
    if (device.eventsRead != Extent::Whole || device.segmentsRead != Extent::Whole)
        fmt::format_to(
            to, "read events {} segments {}\n", toText(device.eventsRead), toText(device.segmentsRead));
    if (const std::optional<EndState>& end = device.endState)
        fmt::format_to(to, "end segments {} blocks {} live {} in {} of {} reserved {}\n", end->segmentCount,
            end->blockCount, end->liveBytes, end->liveBlockCount, end->liveBlockBytes, end->reservedBytes);
}

void writeMetadata(std::string& out, const Trace& trace)
{
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "format {} history {} start_lost {}{}\n", toText(trace.metadata.kind),
        trace.metadata.hasHistory, trace.metadata.startLost, trace.metadata.cutOff ? " cut_off true" : "");
    for (const auto& [name, value] : trace.metadata.settings)
        fmt::format_to(to, "setting {} = {}\n", sanitizedText(name), sanitizedText(value));
    for (const auto& [name, value] : trace.metadata.unknownEntries)
        fmt::format_to(to, "entry {} = {}\n", sanitizedText(name), sanitizedText(value));
}

void writeSegments(std::string& out, const Trace& trace, const Device& device, Numbering& numbers)
{
    const auto to = std::back_inserter(out);
    for (std::uint32_t s = device.segments.first; s < device.segments.last; ++s) {
        const Segment& segment = trace.segments.segments[s];
        fmt::format_to(to, "segment {:x} size {} {} stream {} pool {}{} {}\n", segment.address,
            segment.totalSize, toText(segment.type), streamHandle(trace, segment.stream),
            poolText(trace, segment.pool), segment.expandable ? " expandable" : "",
            numbers.stack(segment.stack));
        for (std::uint32_t b = segment.blocks.first; b < segment.blocks.last; ++b) {
            const Block& block = trace.segments.blocks[b];
            fmt::format_to(to, "  block {:x} size {} requested {} {} {}\n", block.address, block.size,
                block.requestedSize, toText(block.state), numbers.stack(block.stack));
        }
    }
}

/// Writes blocks allocated before recording began that are in no segment.
void writeOlderBlocks(std::string& out, const Trace& trace, DeviceIndex index, Numbering& numbers)
{
    if (trace.devices[index].hasFinalSegments)
        return;
    for (const std::uint32_t row : trace.pairings[index].untouchedBlocks) {
        const Block& block = trace.segments.blocks[row];
        fmt::format_to(
            std::back_inserter(out), "older block size {} {}", block.size, numbers.stack(block.stack));
        if (!block.category.isNone())
            fmt::format_to(
                std::back_inserter(out), " category {}", sanitizedText(trace.text(block.category)));
        out += '\n';
    }
}

void writeEvents(std::string& out, const Trace& trace, DeviceIndex index, Numbering& numbers)
{
    const auto to = std::back_inserter(out);
    for (std::int64_t event = 0; event < trace.eventCount(index); ++event) {
        const MemoryEvent row = trace.events.row(trace.row(index, event));
        fmt::format_to(to, "{} {} {:x} {} t{} stream {} pool {} {} pair {}", event,
            trace.actionName(row.action), row.address, row.size, row.time, streamHandle(trace, row.stream),
            poolText(trace, row.pool), numbers.stack(row.stack),
            trace.pairings[index].partner[static_cast<std::size_t>(event)]);
        if (!row.category.isNone())
            fmt::format_to(to, " category {}", sanitizedText(trace.text(row.category)));
        if (!row.details.isNone())
            fmt::format_to(to, " {}", trace.text(row.details));
        out += '\n';
    }
}

void writeSpans(std::string& out, const Trace& trace)
{
    for (const Span& span : trace.spans)
        fmt::format_to(std::back_inserter(out), "span {} device {} [{}, {}){}{} depth {}{}{}\n",
            sanitizedText(trace.text(span.name)), span.deviceOrdinal, span.begin, span.end,
            span.beginMissing ? " begin-missing" : "", span.endMissing ? " end-missing" : "", span.depth,
            span.kind == SpanKind::Operator ? " operator" : "",
            span.process == Span::kAnyProcess ? std::string() : fmt::format(" pid {}", span.process));
}

void writeActivities(std::string& out, const Trace& trace)
{
    for (std::size_t i = 0; i < trace.activities.rows(); ++i) {
        const Activity activity = trace.activities.row(i);
        fmt::format_to(std::back_inserter(out), "{} {} device {} lane {} [{}, {}) bytes {}\n",
            toText(activity.kind), sanitizedText(trace.text(activity.name)), activity.device, activity.lane,
            activity.begin, activity.end, activity.bytes);
    }
}

void writeSeriesFacts(std::string& out, const CounterSeries& series)
{
    const auto add = [&](std::string_view name, std::string_view text) {
        if (!text.empty())
            fmt::format_to(std::back_inserter(out), " {} {}", name, sanitizedText(text));
    };
    add("process", series.process);
    add("metric", series.metric);
    add("component", series.component);
    add("stage", series.stage);
    add("pattern", series.pattern);
    add("note", series.unitNote);
    if (series.quantity)
        add("quantity", toText(*series.quantity));
    if (series.since != PeakSince::NotAPeak)
        add("since", toText(series.since));
    if (series.stepNumbering != StepNumbering::None)
        add("steps", toText(series.stepNumbering));
    if (series.unitGuessed)
        out += " guessed";
}

void writePoint(std::string& out, const CounterSeries& series, std::size_t point)
{
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "  t{} {}", series.timeAt(point), series.value[point]);
    if (series.stepAt(point) != CounterSeries::kNoStep)
        fmt::format_to(to, " step {}", series.stepAt(point));
    if (series.epochAt(point) >= 0)
        fmt::format_to(to, " epoch {}", series.epochAt(point));
    if (series.lineAt(point) != 0)
        fmt::format_to(to, " line {}", series.lineAt(point));
    if (!series.labelAt(point).empty())
        fmt::format_to(to, " for {}", sanitizedText(series.labelAt(point)));
    out += '\n';
}

void writeCounters(std::string& out, const Trace& trace)
{
    for (const CounterSeries& series : trace.counters) {
        fmt::format_to(std::back_inserter(out), "counter {} device {} rank {} unit {}",
            sanitizedText(series.name), series.deviceOrdinal.value_or(-1), series.rank.value_or(-1),
            series.unit);
        writeSeriesFacts(out, series);
        out += '\n';
        for (std::size_t point = 0; point < series.points(); ++point)
            writePoint(out, series, point);
    }
}

std::string textOf(const std::optional<WrittenBytes>& written)
{
    return written ? fmt::format("{}~{}", written->bytes, written->rounding) : "-";
}

void writeFigures(std::string& out, const OomFigures& f)
{
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "  {} {} device {} requested {} capacity {} free {} allowed {} process {}", f.wording,
        f.backend, f.device.value_or(-1), textOf(f.requested), textOf(f.capacity), textOf(f.free),
        textOf(f.allowed), textOf(f.processUsed));
    fmt::format_to(to, " allocated {} private {} unallocated {} reserved {}", textOf(f.allocated),
        textOf(f.privatePools), textOf(f.reservedUnallocated), textOf(f.reserved));
    for (const ProcessUse& other : f.otherProcesses)
        fmt::format_to(to, " other {} {}~{}", other.process, other.used.bytes, other.used.rounding);
    out += '\n';
}

void writeLogEvents(std::string& out, const Trace& trace)
{
    const auto to = std::back_inserter(out);
    for (const LogEvent& event : trace.logEvents) {
        fmt::format_to(to, "{} line {} failure {} rank {} step {}{} t{}{} {}{}{}{}: {}\n", toText(event.kind),
            event.line, event.failure, event.rank.value_or(-1), event.step, event.stepInferred ? "?" : "",
            event.time, event.timeInferred ? "?" : "", event.pattern, event.fatal ? " fatal" : "",
            event.lowTrust ? " low-trust" : "", event.process.empty() ? "" : " " + event.process,
            sanitizedText(event.text));
        if (event.figures)
            writeFigures(out, *event.figures);
        for (const LogFrame& frame : event.frames)
            fmt::format_to(to, "  {} {}:{} {}\n", sanitizedText(trace.text(frame.function)),
                sanitizedText(trace.text(frame.file)), frame.line, sanitizedText(trace.text(frame.source)));
    }
    for (const ConfigurationEntry& entry : trace.metadata.configuration)
        fmt::format_to(to, "configuration {} = {} ({}, line {})\n", sanitizedText(entry.name),
            sanitizedText(entry.value), entry.origin, entry.line);
}

} // namespace

std::string dumpTrace(const Trace& trace)
{
    std::string out;
    Numbering numbers(trace);
    writeMetadata(out, trace);
    for (DeviceIndex i = 0; i < trace.devices.size(); ++i) {
        fmt::format_to(
            std::back_inserter(out), "device {} events {}\n", trace.devices[i].label(), trace.eventCount(i));
        writeExtent(out, trace.devices[i]);
        writeSegments(out, trace, trace.devices[i], numbers);
        writeOlderBlocks(out, trace, i, numbers);
        writeEvents(out, trace, i, numbers);
    }
    writeSpans(out, trace);
    writeActivities(out, trace);
    writeCounters(out, trace);
    writeLogEvents(out, trace);
    numbers.writeStacks(out);
    for (const ImportLogEntry& entry : trace.log.entries())
        fmt::format_to(std::back_inserter(out), "log {} {} x{}: {}\n", toText(entry.severity), entry.code,
            entry.count, entry.message);
    return out;
}

} // namespace highwater
