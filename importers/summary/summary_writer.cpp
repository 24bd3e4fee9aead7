#include "importers/summary/summary_writer.h"

#include <functional>
#include <map>

#include <zstd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/trace/summary/summary_document.h"
#include "importers/summary/summary_columns.h"
#include "importers/summary/summary_format.h"

namespace highwater {

namespace {

using namespace summary;

/// A summary is written once, and thousands are read together, so small files matter more than fast writing.
constexpr int kLevel = 9;

class Writer
{
public:
    void addSection(Section id, const std::string& raw)
    {
        std::string stored(ZSTD_compressBound(raw.size()), '\0');
        stored.resize(ZSTD_compress(stored.data(), stored.size(), raw.data(), raw.size(), kLevel));
        SectionHead head;
        head.id = static_cast<std::uint32_t>(id);
        head.rawBytes = raw.size();
        head.storedBytes = stored.size();
        head.checksum
            = XXH3_64bits_withSeed(stored.data(), stored.size(), sectionSeed(head.id, head.rawBytes));
        m_sections.append(reinterpret_cast<const char*>(&head), sizeof head);
        m_sections += stored;
        ++m_count;
    }

    std::string fileBytes() const
    {
        std::string out(kMagic);
        appendNumber(out, kVersion);
        appendNumber(out, m_count);
        return out + m_sections;
    }

private:
    std::string m_sections;
    std::uint32_t m_count = 0;
};

/// A list of texts that contains each text once.
class TextIndex
{
public:
    std::uint32_t indexOf(const std::string& text)
    {
        const auto [found, isNew] = m_index.try_emplace(text, static_cast<std::uint32_t>(m_texts.size()));
        if (isNew)
            m_texts.push_back(text);
        return found->second;
    }
    const std::vector<std::string>& texts() const { return m_texts; }

private:
    std::map<std::string, std::uint32_t> m_index;
    std::vector<std::string> m_texts;
};

void writeSteps(Writer& writer, const std::vector<SummaryStep>& steps)
{
    std::string out;
    TextIndex texts;
    for (const auto field : {&SummaryStep::begin, &SummaryStep::end, &SummaryStep::startBytes,
             &SummaryStep::peakBytes, &SummaryStep::peakEvent, &SummaryStep::endBytes})
        appendColumn(out, steps, field);
    for (const auto field :
        {&SummaryStep::name, &SummaryStep::source, &SummaryStep::grade, &SummaryStep::peakPhase})
        appendColumn(out, steps, [&](const SummaryStep& step) { return texts.indexOf(step.*field); });
    appendColumn(out, steps, [](const SummaryStep& step) {
        return static_cast<std::uint8_t>((step.isComplete ? 1 : 0) | (step.isCounted ? 2 : 0));
    });
    writer.addSection(Section::StepTexts, textBytes(texts.texts()));
    writer.addSection(Section::Steps, out);
}

void writeMoments(Writer& writer, const SummaryMoments& moments)
{
    std::string out;
    appendNumber(out, (moments.time.empty() ? 0u : 1u) | (moments.reserved.empty() ? 0u : 2u));
    appendNumber(out, static_cast<std::uint32_t>(moments.size()));
    appendColumn(out, moments.event, std::identity());
    appendColumn(out, moments.time, std::identity());
    appendColumn(out, moments.reserved, std::identity());
    for (const std::vector<Bytes>& bytes : moments.byCategory)
        appendColumn(out, bytes, std::identity());
    writer.addSection(Section::Moments, out);
}

void writeStacks(Writer& writer, const RankSummary& summary)
{
    std::string frames;
    appendColumn(frames, summary.frames, &SummaryFrame::function);
    appendColumn(frames, summary.frames, &SummaryFrame::file);
    appendColumn(frames, summary.frames, &SummaryFrame::line);
    appendColumn(frames, summary.frames,
        [](const SummaryFrame& frame) { return static_cast<std::uint8_t>(frame.kind); });
    std::string nodes;
    appendColumn(nodes, summary.nodes, &SummaryNode::frame);
    appendColumn(nodes, summary.nodes, &SummaryNode::caller);
    writer.addSection(Section::Strings, textBytes(summary.strings));
    writer.addSection(Section::Frames, frames);
    writer.addSection(Section::Nodes, nodes);
}

void writeAllocations(Writer& writer, const std::vector<SummaryAllocation>& allocations)
{
    std::string out;
    appendColumn(out, allocations, &SummaryAllocation::bytes);
    for (const auto field : {&SummaryAllocation::count, &SummaryAllocation::stack,
             &SummaryAllocation::category, &SummaryAllocation::birth, &SummaryAllocation::death})
        appendColumn(out, allocations, field);
    writer.addSection(Section::Allocations, out);
}

} // namespace

std::string summaryFileBytes(const RankSummary& summary)
{
    Writer writer;
    writer.addSection(Section::Document, summaryDocumentText(summary));
    writeSteps(writer, summary.steps);
    writeMoments(writer, summary.moments);
    writeStacks(writer, summary);
    writeAllocations(writer, summary.allocations);
    return writer.fileBytes();
}

} // namespace highwater
