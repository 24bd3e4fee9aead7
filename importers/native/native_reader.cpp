#include "importers/native/native_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/trace/trace_validate.h"
#include "importers/conclude_import.h"
#include "importers/native/native_document.h"
#include "importers/native/native_format.h"
#include "importers/native/native_tables.h"
#include "importers/source/exact_reader.h"
#include "importers/source/limit_error.h"

namespace highwater {

namespace {

using native::Section;

constexpr std::uint32_t kMaxSections = 1000;
/// More than zstd can compress, so that a small file cannot claim a large memory.
constexpr std::uint64_t kMaxRatio = 1u << 16;

struct SectionHead
{
    std::uint32_t id = 0;
    std::uint32_t reserved = 0;
    std::uint64_t rawBytes = 0;
    std::uint64_t storedBytes = 0;
    std::uint64_t checksum = 0;
};

class NativeReader
{
public:
    NativeReader(ByteSource& source, const ImportOptions& options)
        : m_reader(source, "the file ends early")
        , m_options(options)
        , m_trace(std::make_unique<Trace>())
    {
    }

    Result<std::shared_ptr<const Trace>> read()
    {
        std::array<char, 16> head{};
        if (auto outcome = m_reader.read(head.data(), head.size()); !outcome)
            return tl::unexpected<Error>(outcome.error());
        std::uint32_t version = 0;
        std::uint32_t sectionCount = 0;
        std::memcpy(&version, head.data() + 8, 4);
        std::memcpy(&sectionCount, head.data() + 12, 4);
        if (version > native::kVersion)
            return fail(ErrorCode::UnknownFormat,
                fmt::format("was written by a newer Highwater (file version {}; this one reads up to {})",
                    version, native::kVersion));
        if (version == 0 || sectionCount > kMaxSections)
            return fail(ErrorCode::Malformed, "has a damaged header", Place::byte(8));
        for (std::uint32_t i = 0; i < sectionCount; ++i)
            if (auto outcome = readSection(); !outcome)
                return tl::unexpected<Error>(outcome.error());
        return assemble();
    }

private:
    Result<void> readSection()
    {
        SectionHead head;
        if (auto outcome = m_reader.read(reinterpret_cast<char*>(&head), sizeof head); !outcome)
            return outcome;
        if (head.rawBytes / kMaxRatio > head.storedBytes)
            return fail(ErrorCode::Malformed, fmt::format("section {} claims an impossible size", head.id),
                Place::byte(m_reader.offset()));
        m_rawBytes += head.rawBytes;
        if (m_rawBytes > m_options.maxMemoryBytes || head.storedBytes > m_options.maxMemoryBytes)
            return tl::unexpected(memoryLimitError(m_options.maxMemoryBytes));
        if (auto outcome = m_reader.readInto(m_stored, head.storedBytes); !outcome)
            return outcome;
        return unpack(head);
    }

    Result<void> unpack(const SectionHead& head)
    {
        switch (static_cast<Section>(head.id)) {
        case Section::StringLengths: return unpackColumn(head, m_stringLengths);
        case Section::StackNodes: return unpackColumn(head, m_stackNodes);
        case Section::EventActions: return unpackColumn(head, m_trace->events.action);
        case Section::EventAddresses: return unpackPacked(head, m_trace->events.address);
        case Section::EventSizes: return unpackPacked(head, m_trace->events.size);
        case Section::EventTimes: return unpackColumn(head, m_timeDifferences);
        case Section::EventStreams: return unpackPacked(head, m_trace->events.stream);
        case Section::EventStacks: return unpackPacked(head, m_trace->events.stack);
        case Section::EventPools: return unpackColumn(head, m_pools);
        case Section::EventDetails: return unpackColumn(head, m_details);
        case Section::EventCategories: return unpackColumn(head, m_categories);
        case Section::Partners: return unpackColumn(head, m_partners);
        case Section::UntouchedBlocks: return unpackColumn(head, m_untouched);
        default: break;
        }
        std::string& text = m_tables[head.id];
        text.resize(static_cast<std::size_t>(head.rawBytes));
        return decompressInto(head, text.data());
    }

    template <typename T>
    Result<void> unpackColumn(const SectionHead& head, Column<T>& column)
    {
        if (head.rawBytes % sizeof(T) != 0)
            return damaged(head);
        column.resizeForOverwrite(static_cast<std::size_t>(head.rawBytes / sizeof(T)));
        return decompressInto(head, column.data());
    }

    template <typename T>
    Result<void> unpackPacked(const SectionHead& head, PackedColumn<T>& packed)
    {
        Column<T> column;
        if (auto outcome = unpackColumn(head, column); !outcome)
            return outcome;
        packed = {};
        for (const T value : column)
            packed.push_back(value);
        return {};
    }

    Result<void> decompressInto(const SectionHead& head, void* buffer)
    {
        const auto raw = static_cast<std::size_t>(head.rawBytes);
        const std::size_t writtenBytes = ZSTD_decompress(buffer, raw, m_stored.data(), m_stored.size());
        if (ZSTD_isError(writtenBytes) || writtenBytes != raw
            || XXH3_64bits_withSeed(buffer, raw, head.id) != head.checksum)
            return damaged(head);
        return {};
    }

    tl::unexpected<Error> damaged(const SectionHead& head) const
    {
        return fail(ErrorCode::Malformed, fmt::format("section {} is damaged", head.id),
            Place::byte(m_reader.offset() - head.storedBytes));
    }

    tl::unexpected<Error> inconsistent(std::string_view problem) const
    {
        return fail(ErrorCode::Malformed, fmt::format("is inconsistent: {}", problem));
    }

    std::string_view table(Section id) { return m_tables[static_cast<std::uint32_t>(id)]; }

    Result<std::shared_ptr<const Trace>> assemble()
    {
        std::vector<std::size_t> untouchedCounts;
        if (auto outcome = native::readDocument(table(Section::Document), *m_trace, untouchedCounts);
            !outcome)
            return tl::unexpected<Error>(outcome.error());
        if (!fillStrings() || !fillStacks())
            return inconsistent("its texts or stacks are damaged");
        if (!fillSparse(m_pools, m_trace->events.pool) || !fillSparse(m_categories, m_trace->events.category)
            || !fillSparse(m_details, m_trace->events.details))
            return inconsistent("pools, categories or details do not fit the events");
        restoreTimes();
        if (!fillTables())
            return inconsistent("its segments, blocks, spans or activities are damaged");
        if (!fillPairings(untouchedCounts))
            return inconsistent("its pairs of allocations and frees do not fit the events");
        if (const std::string problem = firstProblem(*m_trace); !problem.empty())
            return inconsistent(problem);
        for (Device& device : m_trace->devices)
            device.times = timeQuality(m_trace->events, device.events);
        return std::shared_ptr<const Trace>(std::move(m_trace));
    }

    bool fillTables()
    {
        using namespace native;
        SegmentTable& segments = m_trace->segments;
        return fillSegments(segments.segments) && fillBlocks(segments.blocks)
            && fillTable(table(Section::Spans), m_trace->spans, kSpanColumns)
            && fillColumn(table(Section::SpanProcesses), m_trace->spans, &Span::process)
            && fillActivities(table(Section::Activities), m_trace->activities);
    }

    bool fillSegments(SegmentRows& segments)
    {
        Column<Segment> rows;
        if (!native::fillTable(table(Section::Segments), rows, native::kSegmentColumns))
            return false;
        for (const Segment& segment : rows)
            segments.push_back(segment);
        return true;
    }

    bool fillBlocks(BlockTable& blocks)
    {
        Column<Block> rows;
        if (!native::fillTable(table(Section::Blocks), rows, native::kBlockColumns)
            || !native::fillColumn(table(Section::BlockCategories), rows, &Block::category))
            return false;
        for (const Block& block : rows)
            blocks.push_back(block);
        return true;
    }

    bool fillStrings()
    {
        std::string_view texts = table(Section::StringBytes);
        for (const std::uint32_t length : m_stringLengths) {
            const StringId next(m_trace->strings.size());
            if (length > texts.size() || m_trace->strings.intern(texts.substr(0, length)) != next)
                return false;
            texts.remove_prefix(length);
        }
        return true;
    }

    bool fillStacks()
    {
        std::vector<Frame> frames;
        if (!native::fillTable(table(Section::Frames), frames, native::kFrameColumns)
            || m_stackNodes.size() % 2 != 0)
            return false;
        for (std::size_t i = 0; i < frames.size(); ++i)
            if (m_trace->stacks.internFrame(frames[i]) != FrameId(i))
                return false;
        const std::size_t nodeCount = m_stackNodes.size() / 2;
        for (std::size_t node = 1; node < nodeCount; ++node) {
            const FrameId frame(m_stackNodes[node]);
            const StackId caller(m_stackNodes[nodeCount + node]);
            // A caller precedes its callees, so no stack can be cyclic.
            if (caller.value() >= node || frame.index() >= frames.size()
                || m_trace->stacks.internNode(frame, caller) != StackId(node))
                return false;
        }
        m_trace->stacks.forgetLookup();
        return true;
    }

    /// Returns false if the file has more or fewer values than there are events.
    template <typename T>
    bool fillSparse(const Column<T>& full, SparseColumn<T>& sparse)
    {
        for (std::size_t row = 0; row < full.size(); ++row)
            sparse.set(row, full[row]);
        return full.empty() || full.size() == m_trace->events.rows();
    }

    void restoreTimes()
    {
        std::uint64_t time = 0; // in a damaged file the sum may leave the range, which the later check finds
        for (const Nanoseconds difference : m_timeDifferences)
            m_trace->events.time.push_back(
                static_cast<Nanoseconds>(time += static_cast<std::uint64_t>(difference)));
        m_timeDifferences = {};
    }

    bool fillPairings(const std::vector<std::size_t>& untouchedCounts)
    {
        std::size_t partner = 0;
        std::size_t untouched = 0;
        for (DeviceIndex i = 0; i < m_trace->devices.size(); ++i) {
            const RowRange events = m_trace->devices[i].events;
            if (events.first > events.last || events.size() > m_partners.size() - partner
                || untouchedCounts[i] > m_untouched.size() - untouched)
                return false;
            EventPairing pairing;
            for (std::size_t event = 0; event < events.size(); ++event)
                pairing.partner.push_back(m_partners[partner + event]);
            pairing.untouchedBlocks.assign(
                m_untouched.begin() + untouched, m_untouched.begin() + untouched + untouchedCounts[i]);
            partner += events.size();
            untouched += untouchedCounts[i];
            m_trace->pairings.push_back(std::move(pairing));
        }
        return true;
    }

    ExactReader m_reader;
    const ImportOptions& m_options;
    std::unique_ptr<Trace> m_trace;
    std::uint64_t m_rawBytes = 0; ///< of all sections so far
    std::string m_stored;
    std::map<std::uint32_t, std::string> m_tables;
    Column<std::uint32_t> m_stringLengths;
    Column<std::uint32_t> m_stackNodes; ///< frames of all nodes, then their callers
    Column<Nanoseconds> m_timeDifferences;
    Column<PoolId> m_pools;
    Column<StringId> m_categories;
    Column<StringId> m_details;
    Column<std::int32_t> m_partners;
    Column<std::uint32_t> m_untouched;
};

} // namespace

bool sniffNative(std::string_view prefix)
{
    return prefix.starts_with(native::kMagic);
}

Result<ImportedTrace> importNative(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    Result<std::shared_ptr<const Trace>> trace = NativeReader(*source, options).read();
    if (!trace)
        return tl::unexpected<Error>(trace.error());
    return concludeImport(std::nullopt, false, [&] { return *trace; });
}

} // namespace highwater
