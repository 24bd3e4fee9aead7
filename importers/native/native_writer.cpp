#include "importers/native/native_writer.h"

#include <algorithm>
#include <string>
#include <vector>

#include <zstd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "importers/native/native_document.h"
#include "importers/native/native_format.h"
#include "importers/native/native_tables.h"

namespace highwater {

namespace {

using native::Section;

constexpr int kLevel = 1; ///< fast opening matters more than the last percent of compression

template <typename T>
void appendBytes(std::string& out, const T& value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
std::string_view bytesOf(const Column<T>& column)
{
    return {reinterpret_cast<const char*>(column.data()), column.memoryBytes()};
}

template <typename T>
Column<T> unpacked(const PackedColumn<T>& packed)
{
    Column<T> column;
    column.reserve(packed.size());
    for (const T value : packed)
        column.push_back(value);
    return column;
}

class Writer
{
public:
    explicit Writer(const ByteSink& sink)
        : m_sink(sink)
    {
    }

    void writeHead(std::uint32_t sections)
    {
        std::string head(native::kMagic);
        appendBytes(head, native::kVersion);
        appendBytes(head, sections);
        m_isGood = m_sink(head);
    }

    void writeSection(Section id, std::string_view raw)
    {
        if (!m_isGood)
            return;
        m_stored.resizeForOverwrite(ZSTD_compressBound(raw.size())); // untouched pages take no memory
        const std::size_t stored
            = ZSTD_compress(m_stored.data(), m_stored.size(), raw.data(), raw.size(), kLevel);
        if (ZSTD_isError(stored)) {
            m_isGood = false;
            return;
        }
        std::string head;
        appendBytes(head, static_cast<std::uint32_t>(id));
        appendBytes(head, std::uint32_t{0});
        appendBytes(head, static_cast<std::uint64_t>(raw.size()));
        appendBytes(head, static_cast<std::uint64_t>(stored));
        appendBytes(head,
            static_cast<std::uint64_t>(
                XXH3_64bits_withSeed(raw.data(), raw.size(), static_cast<std::uint32_t>(id))));
        m_isGood = m_sink(head) && m_sink({m_stored.data(), stored});
    }

    bool isGood() const { return m_isGood; }

private:
    const ByteSink& m_sink;
    Column<char> m_stored;
    bool m_isGood = true;
};

void writeStrings(Writer& writer, const StringPool& strings)
{
    std::string lengths;
    std::string texts;
    for (std::size_t i = 0; i < strings.size(); ++i) {
        const std::string_view text = strings.view(StringId(i));
        appendBytes(lengths, static_cast<std::uint32_t>(text.size()));
        texts += text;
    }
    writer.writeSection(Section::StringLengths, lengths);
    writer.writeSection(Section::StringBytes, texts);
}

void writeStacks(Writer& writer, const StackTable& stacks)
{
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < stacks.frameCount(); ++i)
        frames.push_back(stacks.frame(FrameId(i)));
    writer.writeSection(Section::Frames, native::tableBytes(frames, native::kFrameColumns));
    std::string nodes;
    for (std::size_t i = 0; i < stacks.nodeCount(); ++i)
        appendBytes(nodes, stacks.innermost(StackId(i)).value());
    for (std::size_t i = 0; i < stacks.nodeCount(); ++i)
        appendBytes(nodes, stacks.caller(StackId(i)).value());
    writer.writeSection(Section::StackNodes, nodes);
}

/// Writes a value for each row, or no section if no row has one.
template <typename T>
void writeSparse(Writer& writer, Section id, const SparseColumn<T>& column, std::size_t rows)
{
    if (column.empty())
        return;
    Column<T> full;
    full.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row)
        full.push_back(column.get(row));
    writer.writeSection(id, bytesOf(full));
}

void writeEvents(Writer& writer, const MemoryEventTable& events)
{
    writer.writeSection(Section::EventActions, bytesOf(events.action));
    writer.writeSection(Section::EventAddresses, bytesOf(unpacked(events.address)));
    writer.writeSection(Section::EventSizes, bytesOf(unpacked(events.size)));
    Column<Nanoseconds> differences;
    differences.reserve(events.rows());
    for (std::size_t row = 0; row < events.rows(); ++row)
        differences.push_back(events.time[row] - (row > 0 ? events.time[row - 1] : 0));
    writer.writeSection(Section::EventTimes, bytesOf(differences));
    writer.writeSection(Section::EventStreams, bytesOf(unpacked(events.stream)));
    writer.writeSection(Section::EventStacks, bytesOf(unpacked(events.stack)));
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
    writer.writeSection(Section::Partners, bytesOf(partners));
    writer.writeSection(Section::UntouchedBlocks, bytesOf(untouched));
}

bool hasCategories(const BlockTable& blocks)
{
    return std::ranges::any_of(blocks, [](const Block& block) { return !block.category.isNone(); });
}

bool haveProcesses(const std::vector<Span>& spans)
{
    return std::ranges::any_of(spans, [](const Span& span) { return span.process != Span::kAnyProcess; });
}

void writeTables(Writer& writer, const Trace& trace)
{
    using namespace native;
    const BlockTable& blocks = trace.segments.blocks;
    writer.writeSection(Section::Segments, tableBytes(trace.segments.segments, kSegmentColumns));
    writer.writeSection(Section::Blocks, tableBytes(blocks, kBlockColumns));
    if (hasCategories(blocks))
        writer.writeSection(Section::BlockCategories, tableBytes(blocks, std::tuple(&Block::category)));
    writer.writeSection(Section::Spans, tableBytes(trace.spans, kSpanColumns));
    if (haveProcesses(trace.spans))
        writer.writeSection(Section::SpanProcesses, tableBytes(trace.spans, std::tuple(&Span::process)));
    if (trace.activities.rows() > 0)
        writer.writeSection(Section::Activities,
            std::apply(
                [&](auto... column) {
                    return (std::string() + ... + std::string(bytesOf(trace.activities.*column)));
                },
                kActivityColumns));
}

} // namespace

Result<void> writeNative(const Trace& trace, const ByteSink& sink)
{
    Writer writer(sink);
    constexpr std::uint32_t kAlwaysWritten = 16;
    writer.writeHead(kAlwaysWritten + !trace.events.pool.empty() + !trace.events.details.empty()
        + !trace.events.category.empty() + hasCategories(trace.segments.blocks)
        + (trace.activities.rows() > 0) + haveProcesses(trace.spans));
    writer.writeSection(Section::Document, native::documentText(trace));
    writeStrings(writer, trace.strings);
    writeStacks(writer, trace.stacks);
    writeEvents(writer, trace.events);
    writePairings(writer, trace.pairings);
    writeTables(writer, trace);
    if (!writer.isGood())
        return fail(ErrorCode::CannotRead, "the file could not be written");
    return {};
}

} // namespace highwater
