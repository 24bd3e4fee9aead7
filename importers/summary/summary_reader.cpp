#include "importers/summary/summary_reader.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <zstd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/trace/summary/summary_document.h"
#include "importers/source/exact_reader.h"
#include "importers/source/limit_error.h"
#include "importers/summary/summary_check.h"
#include "importers/summary/summary_columns.h"
#include "importers/summary/summary_format.h"

namespace highwater {

namespace {

using namespace summary;

/// True for a section that SummaryParts::Figures needs.
bool belongsToFigures(std::uint32_t id)
{
    return id <= static_cast<std::uint32_t>(Section::Steps);
}

class SummaryReader
{
public:
    SummaryReader(ByteSource& source, const ImportOptions& options, SummaryParts parts)
        : m_source(source)
        , m_reader(source, "the summary ends early")
        , m_options(options)
        , m_parts(parts)
    {
    }

    Result<RankSummary> read()
    {
        if (auto outcome = readSections(); !outcome)
            return tl::unexpected(outcome.error());
        RankSummary summary;
        if (!takeSteps(summary.steps))
            return damagedPart("its steps");
        const bool readsTables = m_parts == SummaryParts::Everything;
        if (readsTables && !takeStacks(summary))
            return damagedPart("its stacks");
        if (readsTables && !takeAllocations(summary.allocations))
            return damagedPart("its allocations");
        if (auto outcome = readSummaryDocument(raw(Section::Document), summary); !outcome)
            return tl::unexpected(outcome.error());
        if (readsTables && !takeMoments(summary))
            return damagedPart("its curve");
        if (const std::string problem = firstSummaryProblem(summary, readsTables); !problem.empty())
            return damagedPart(problem);
        return summary;
    }

private:
    static tl::unexpected<Error> damagedPart(std::string_view part)
    {
        return fail(ErrorCode::Malformed, fmt::format("is a damaged summary: {} cannot be right", part));
    }

    Result<void> readSections()
    {
        std::array<char, 16> head{};
        if (auto outcome = m_reader.read(head.data(), head.size()); !outcome)
            return outcome;
        std::uint32_t version = 0;
        std::uint32_t sectionCount = 0;
        std::memcpy(&version, head.data() + 8, 4);
        std::memcpy(&sectionCount, head.data() + 12, 4);
        if (version > kVersion)
            return fail(ErrorCode::UnknownFormat,
                fmt::format("was written by a newer Highwater (summary version {}; this one reads up to {})",
                    version, kVersion));
        if (version == 0 || sectionCount > kMaxSections)
            return fail(ErrorCode::Malformed, "has a damaged header", Place::byte(8));
        for (std::uint32_t i = 0; i < sectionCount; ++i)
            if (auto outcome = readSection(); !outcome)
                return outcome;
        char extraByte = 0;
        const Result<std::size_t> extraCount
            = m_source.read(std::as_writable_bytes(std::span(&extraByte, 1)));
        if (!extraCount)
            return tl::unexpected(extraCount.error());
        if (*extraCount > 0)
            return fail(ErrorCode::Malformed, "has bytes after its end", Place::byte(m_reader.offset()));
        return {};
    }

    Result<void> readSection()
    {
        const std::uint64_t begin = m_reader.offset();
        SectionHead head;
        if (auto outcome = m_reader.read(reinterpret_cast<char*>(&head), sizeof head); !outcome)
            return outcome;
        m_rawBytes += std::min(head.rawBytes, kMaxRawBytes);
        if (head.reserved != 0 || head.rawBytes > kMaxSectionBytes || head.storedBytes > kMaxSectionBytes
            || m_rawBytes > kMaxRawBytes)
            return fail(ErrorCode::Malformed, fmt::format("section {} claims an impossible size", head.id),
                Place::byte(begin));
        if (m_rawBytes > m_options.maxMemoryBytes)
            return tl::unexpected(memoryLimitError(m_options.maxMemoryBytes));
        if (auto outcome = m_reader.readInto(m_stored, head.storedBytes); !outcome)
            return outcome;
        if (XXH3_64bits_withSeed(m_stored.data(), m_stored.size(), sectionSeed(head.id, head.rawBytes))
            != head.checksum)
            return damaged(head, begin);
        if (m_parts == SummaryParts::Figures && !belongsToFigures(head.id))
            return {};
        return unpack(head, begin);
    }

    static tl::unexpected<Error> damaged(const SectionHead& head, std::uint64_t begin)
    {
        return fail(ErrorCode::Malformed, fmt::format("is a damaged summary: section {} is damaged", head.id),
            Place::byte(begin));
    }

    Result<void> unpack(const SectionHead& head, std::uint64_t begin)
    {
        std::string& buffer = m_raw[head.id];
        buffer.resize(head.rawBytes);
        const std::size_t writtenBytes
            = ZSTD_decompress(buffer.data(), buffer.size(), m_stored.data(), m_stored.size());
        if (ZSTD_isError(writtenBytes) || writtenBytes != buffer.size())
            return damaged(head, begin);
        return {};
    }

    std::string_view raw(Section id) { return m_raw[static_cast<std::uint32_t>(id)]; }

    /// Returns false if the stored columns are not complete rows, or are too many.
    template <typename Row>
    static bool makeRows(std::string_view stored, std::size_t rowBytes, std::vector<Row>& rows)
    {
        if (stored.size() % rowBytes != 0 || stored.size() / rowBytes > kMaxRows)
            return false;
        rows.resize(stored.size() / rowBytes);
        return true;
    }

    bool takeSteps(std::vector<SummaryStep>& steps)
    {
        constexpr std::size_t rowBytes = 6 * 8 + 4 * 4 + 1;
        std::string_view rest = raw(Section::Steps);
        std::vector<std::string> texts;
        if (!takeTexts(raw(Section::StepTexts), texts) || !makeRows(rest, rowBytes, steps))
            return false;
        for (const auto field : {&SummaryStep::begin, &SummaryStep::end, &SummaryStep::startBytes,
                 &SummaryStep::peakBytes, &SummaryStep::peakEvent, &SummaryStep::endBytes})
            takeColumn<std::int64_t>(
                rest, steps, [&](SummaryStep& step, std::int64_t value) { step.*field = value; });
        bool areTexts = true;
        for (const auto field :
            {&SummaryStep::name, &SummaryStep::source, &SummaryStep::grade, &SummaryStep::peakPhase})
            takeColumn<std::uint32_t>(rest, steps, [&](SummaryStep& step, std::uint32_t text) {
                areTexts = areTexts && text < texts.size();
                if (areTexts)
                    step.*field = texts[text];
            });
        takeColumn<std::uint8_t>(rest, steps, [](SummaryStep& step, std::uint8_t flags) {
            step.isComplete = (flags & 1) != 0;
            step.isCounted = (flags & 2) != 0;
        });
        return areTexts;
    }

    bool takeMoments(RankSummary& summary)
    {
        std::string_view rest = raw(Section::Moments);
        std::uint32_t flags = 0;
        std::uint32_t rowCount = 0;
        if (!takeNumber(rest, flags) || !takeNumber(rest, rowCount) || rowCount > kMaxRows)
            return false;
        const std::size_t columnCount
            = 1 + (flags & 1) + (flags >> 1 & 1) + std::min(summary.categories.size(), kMaxRows);
        if (rest.size() != columnCount * rowCount * sizeof(std::int64_t))
            return false;
        const auto readColumn = [&](std::vector<std::int64_t>& buffer) {
            buffer.resize(rowCount);
            takeColumn<std::int64_t>(
                rest, buffer, [](std::int64_t& target, std::int64_t value) { target = value; });
        };
        readColumn(summary.moments.event);
        if (flags & 1)
            readColumn(summary.moments.time);
        if (flags & 2)
            readColumn(summary.moments.reserved);
        summary.moments.byCategory.resize(summary.categories.size());
        for (std::vector<Bytes>& category : summary.moments.byCategory)
            readColumn(category);
        return true;
    }

    bool takeStacks(RankSummary& summary)
    {
        std::string_view frames = raw(Section::Frames);
        std::string_view nodes = raw(Section::Nodes);
        if (!takeTexts(raw(Section::Strings), summary.strings) || !makeRows(frames, 13, summary.frames)
            || !makeRows(nodes, 8, summary.nodes))
            return false;
        takeColumn<std::uint32_t>(
            frames, summary.frames, [](SummaryFrame& frame, std::uint32_t value) { frame.function = value; });
        takeColumn<std::uint32_t>(
            frames, summary.frames, [](SummaryFrame& frame, std::uint32_t value) { frame.file = value; });
        takeColumn<std::int32_t>(
            frames, summary.frames, [](SummaryFrame& frame, std::int32_t value) { frame.line = value; });
        takeColumn<std::uint8_t>(frames, summary.frames, [](SummaryFrame& frame, std::uint8_t value) {
            frame.kind = value == 0 ? FrameKind::Python : FrameKind::Native;
        });
        takeColumn<std::uint32_t>(
            nodes, summary.nodes, [](SummaryNode& node, std::uint32_t value) { node.frame = value; });
        takeColumn<std::uint32_t>(
            nodes, summary.nodes, [](SummaryNode& node, std::uint32_t value) { node.caller = value; });
        return true;
    }

    bool takeAllocations(std::vector<SummaryAllocation>& allocations)
    {
        std::string_view rest = raw(Section::Allocations);
        if (!makeRows(rest, 8 + 5 * 4, allocations))
            return false;
        takeColumn<std::int64_t>(rest, allocations,
            [](SummaryAllocation& allocation, std::int64_t value) { allocation.bytes = value; });
        for (const auto field : {&SummaryAllocation::count, &SummaryAllocation::stack,
                 &SummaryAllocation::category, &SummaryAllocation::birth, &SummaryAllocation::death})
            takeColumn<std::uint32_t>(rest, allocations,
                [&](SummaryAllocation& allocation, std::uint32_t value) { allocation.*field = value; });
        return true;
    }

    ByteSource& m_source;
    ExactReader m_reader;
    const ImportOptions& m_options;
    SummaryParts m_parts;
    std::uint64_t m_rawBytes = 0; ///< of all sections so far
    std::string m_stored;
    std::map<std::uint32_t, std::string> m_raw;
};

} // namespace

bool sniffSummary(std::string_view prefix)
{
    return prefix.starts_with(kMagic);
}

Result<RankSummary> readSummary(ByteSource& source, const ImportOptions& options, SummaryParts parts)
{
    return SummaryReader(source, options, parts).read();
}

} // namespace highwater
