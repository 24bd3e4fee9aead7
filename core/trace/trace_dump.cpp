#include "core/trace/trace_dump.h"

#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Gives stacks and frames numbers in the order in which the dump meets them.
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
    tsl::robin_map<std::uint32_t, std::size_t> m_stacks;
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

void writeMetadata(std::string& out, const Trace& trace)
{
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "format {} history {} start_lost {}\n", trace.metadata.format,
        trace.metadata.hasHistory, trace.metadata.startLost);
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

void writeEvents(std::string& out, const Trace& trace, DeviceIndex index, Numbering& numbers)
{
    const auto to = std::back_inserter(out);
    for (std::int64_t event = 0; event < trace.eventCount(index); ++event) {
        const MemoryEvent row = trace.events.row(trace.row(index, event));
        fmt::format_to(to, "{} {} {:x} {} t{} stream {} pool {} {} pair {}", event,
            trace.actionName(row.action), row.address, row.size, row.time, streamHandle(trace, row.stream),
            poolText(trace, row.pool), numbers.stack(row.stack),
            trace.pairings[index].partner[static_cast<std::size_t>(event)]);
        if (!row.details.isNone())
            fmt::format_to(to, " {}", trace.text(row.details));
        out += '\n';
    }
}

void writeSpans(std::string& out, const Trace& trace)
{
    for (const Span& span : trace.spans)
        fmt::format_to(std::back_inserter(out), "span {} device {} [{}, {}){}{} depth {}\n",
            sanitizedText(trace.text(span.name)), span.deviceOrdinal, span.begin, span.end,
            span.beginMissing ? " begin-missing" : "", span.endMissing ? " end-missing" : "", span.depth);
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
        writeSegments(out, trace, trace.devices[i], numbers);
        writeEvents(out, trace, i, numbers);
    }
    writeSpans(out, trace);
    numbers.writeStacks(out);
    for (const ImportLogEntry& entry : trace.log.entries())
        fmt::format_to(std::back_inserter(out), "log {} {} x{}: {}\n", toText(entry.severity), entry.code,
            entry.count, entry.message);
    return out;
}

} // namespace highwater
