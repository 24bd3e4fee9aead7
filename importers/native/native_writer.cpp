#include "importers/native/native_writer.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <zstd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "importers/native/native_document.h"
#include "importers/native/native_format.h"

namespace highwater {

namespace {

using native::Section;

constexpr int kLevel = 1; ///< opening fast matters more than the last per cent

template <typename T>
void put(std::string& out, const T& value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
std::string_view bytesOf(const Column<T>& column)
{
    return {reinterpret_cast<const char*>(column.data()), column.memoryBytes()};
}

/// One field of every row, for small tables.
template <typename Rows, typename Field>
void putColumn(std::string& out, const Rows& rows, Field field)
{
    for (const auto& row : rows)
        put(out, field(row));
}

class Writer
{
public:
    explicit Writer(const ByteSink& sink)
        : m_sink(sink)
    {
    }

    void begin(std::uint32_t sections)
    {
        std::string head(native::kMagic);
        put(head, native::kVersion);
        put(head, sections);
        m_good = m_sink(head);
    }

    void section(Section id, std::string_view raw)
    {
        if (!m_good)
            return;
        m_stored.resize(ZSTD_compressBound(raw.size()));
        const std::size_t stored
            = ZSTD_compress(m_stored.data(), m_stored.size(), raw.data(), raw.size(), kLevel);
        if (ZSTD_isError(stored)) {
            m_good = false;
            return;
        }
        std::string head;
        put(head, static_cast<std::uint32_t>(id));
        put(head, std::uint32_t{0});
        put(head, static_cast<std::uint64_t>(raw.size()));
        put(head, static_cast<std::uint64_t>(stored));
        put(head,
            static_cast<std::uint64_t>(
                XXH3_64bits_withSeed(raw.data(), raw.size(), static_cast<std::uint32_t>(id))));
        m_good = m_sink(head) && m_sink({m_stored.data(), stored});
    }

    bool good() const { return m_good; }

private:
    const ByteSink& m_sink;
    std::vector<char> m_stored;
    bool m_good = true;
};

void writeStrings(Writer& writer, const StringPool& strings)
{
    std::string lengths;
    std::string bytes;
    for (std::size_t i = 0; i < strings.size(); ++i) {
        const std::string_view text = strings.view(StringId(i));
        put(lengths, static_cast<std::uint32_t>(text.size()));
        bytes += text;
    }
    writer.section(Section::StringLengths, lengths);
    writer.section(Section::StringBytes, bytes);
}

void writeStacks(Writer& writer, const StackTable& stacks)
{
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < stacks.frameCount(); ++i)
        frames.push_back(stacks.frame(FrameId(i)));
    std::string out;
    putColumn(out, frames, [](const Frame& f) { return f.function.value(); });
    putColumn(out, frames, [](const Frame& f) { return f.file.value(); });
    putColumn(out, frames, [](const Frame& f) { return f.line; });
    putColumn(out, frames, [](const Frame& f) { return f.kind; });
    putColumn(out, frames, [](const Frame& f) { return f.details.value(); });
    writer.section(Section::Frames, out);
    out.clear();
    for (std::size_t i = 0; i < stacks.nodeCount(); ++i)
        put(out, stacks.innermost(StackId(i)).value());
    for (std::size_t i = 0; i < stacks.nodeCount(); ++i)
        put(out, stacks.caller(StackId(i)).value());
    writer.section(Section::StackNodes, out);
}

template <typename T>
void writeSparse(Writer& writer, Section id, const SparseColumn<T>& column, std::size_t rows)
{
    if (column.empty())
        return;
    Column<T> full;
    full.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row)
        full.push_back(column.get(row));
    writer.section(id, bytesOf(full));
}

void writeEvents(Writer& writer, const MemoryEventTable& events)
{
    writer.section(Section::EventActions, bytesOf(events.action));
    writer.section(Section::EventAddresses, bytesOf(events.address));
    writer.section(Section::EventSizes, bytesOf(events.size));
    Column<Nanoseconds> differences;
    differences.reserve(events.rows());
    for (std::size_t row = 0; row < events.rows(); ++row)
        differences.push_back(events.time[row] - (row > 0 ? events.time[row - 1] : 0));
    writer.section(Section::EventTimes, bytesOf(differences));
    writer.section(Section::EventStreams, bytesOf(events.stream));
    writer.section(Section::EventStacks, bytesOf(events.stack));
    writeSparse(writer, Section::EventPools, events.pool, events.rows());
    writeSparse(writer, Section::EventCategories, events.category, events.rows());
    writeSparse(writer, Section::EventDetails, events.details, events.rows());
}

void writePairings(Writer& writer, const std::vector<EventPairing>& pairings)
{
    Column<std::int32_t> partners;
    Column<std::uint32_t> untouched;
    for (const EventPairing& pairing : pairings) {
        for (const std::int32_t partner : pairing.partner)
            partners.push_back(partner);
        for (const std::uint32_t block : pairing.untouchedBlocks)
            untouched.push_back(block);
    }
    writer.section(Section::Partners, bytesOf(partners));
    writer.section(Section::UntouchedBlocks, bytesOf(untouched));
}

void writeSegments(Writer& writer, const SegmentTable& table)
{
    std::string out;
    const std::vector<Segment>& segments = table.segments;
    putColumn(out, segments, [](const Segment& s) { return s.deviceOrdinal; });
    putColumn(out, segments, [](const Segment& s) { return s.address; });
    putColumn(out, segments, [](const Segment& s) { return s.totalSize; });
    putColumn(out, segments, [](const Segment& s) { return s.allocatedSize; });
    putColumn(out, segments, [](const Segment& s) { return s.activeSize; });
    putColumn(out, segments, [](const Segment& s) { return s.requestedSize; });
    putColumn(out, segments, [](const Segment& s) { return s.stream.value(); });
    putColumn(out, segments, [](const Segment& s) { return s.pool.value(); });
    putColumn(out, segments, [](const Segment& s) { return s.type; });
    putColumn(out, segments, [](const Segment& s) { return static_cast<std::uint8_t>(s.expandable); });
    putColumn(out, segments, [](const Segment& s) { return s.stack.value(); });
    putColumn(out, segments, [](const Segment& s) { return s.blocks.first; });
    putColumn(out, segments, [](const Segment& s) { return s.blocks.last; });
    writer.section(Section::Segments, out);
    out.clear();
    putColumn(out, table.blocks, [](const Block& b) { return b.address; });
    putColumn(out, table.blocks, [](const Block& b) { return b.size; });
    putColumn(out, table.blocks, [](const Block& b) { return b.requestedSize; });
    putColumn(out, table.blocks, [](const Block& b) { return b.state; });
    putColumn(out, table.blocks, [](const Block& b) { return b.stack.value(); });
    putColumn(out, table.blocks, [](const Block& b) { return b.historyEntries; });
    writer.section(Section::Blocks, out);
}

bool hasCategories(const Column<Block>& blocks)
{
    return std::any_of(
        blocks.begin(), blocks.end(), [](const Block& block) { return !block.category.isNone(); });
}

void writeBlockCategories(Writer& writer, const Column<Block>& blocks)
{
    if (!hasCategories(blocks))
        return;
    std::string out;
    putColumn(out, blocks, [](const Block& b) { return b.category.value(); });
    writer.section(Section::BlockCategories, out);
}

void writeActivities(Writer& writer, const ActivityTable& activities)
{
    if (activities.rows() == 0)
        return;
    std::string out;
    out += bytesOf(activities.kind);
    out += bytesOf(activities.name);
    out += bytesOf(activities.device);
    out += bytesOf(activities.lane);
    out += bytesOf(activities.begin);
    out += bytesOf(activities.end);
    out += bytesOf(activities.bytes);
    writer.section(Section::Activities, out);
}

void writeSpans(Writer& writer, const std::vector<Span>& spans)
{
    std::string out;
    putColumn(out, spans, [](const Span& s) { return s.kind; });
    putColumn(out, spans, [](const Span& s) { return s.name.value(); });
    putColumn(out, spans, [](const Span& s) { return s.deviceOrdinal; });
    putColumn(out, spans, [](const Span& s) { return s.begin; });
    putColumn(out, spans, [](const Span& s) { return s.end; });
    putColumn(out, spans, [](const Span& s) { return static_cast<std::uint8_t>(s.beginMissing); });
    putColumn(out, spans, [](const Span& s) { return static_cast<std::uint8_t>(s.endMissing); });
    putColumn(out, spans, [](const Span& s) { return s.depth; });
    writer.section(Section::Spans, out);
}

bool haveProcesses(const std::vector<Span>& spans)
{
    return std::any_of(
        spans.begin(), spans.end(), [](const Span& span) { return span.process != Span::kAnyProcess; });
}

void writeSpanProcesses(Writer& writer, const std::vector<Span>& spans)
{
    if (!haveProcesses(spans))
        return;
    std::string out;
    putColumn(out, spans, [](const Span& s) { return s.process; });
    writer.section(Section::SpanProcesses, out);
}

} // namespace

Result<void> writeNative(const Trace& trace, const ByteSink& sink)
{
    Writer writer(sink);
    constexpr std::uint32_t always = 16;
    writer.begin(always + !trace.events.pool.empty() + !trace.events.details.empty()
        + !trace.events.category.empty() + hasCategories(trace.segments.blocks)
        + (trace.activities.rows() > 0) + haveProcesses(trace.spans));
    writer.section(Section::Document, native::documentText(trace));
    writeStrings(writer, trace.strings);
    writeStacks(writer, trace.stacks);
    writeEvents(writer, trace.events);
    writePairings(writer, trace.pairings);
    writeSegments(writer, trace.segments);
    writeBlockCategories(writer, trace.segments.blocks);
    writeSpans(writer, trace.spans);
    writeSpanProcesses(writer, trace.spans);
    writeActivities(writer, trace.activities);
    if (!writer.good())
        return fail(ErrorCode::CannotRead, "the file could not be written");
    return {};
}

} // namespace highwater
