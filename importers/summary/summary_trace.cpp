#include "importers/summary/summary_trace.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/trace/summary/summary_document.h"
#include "core/trace/trace_builder.h"
#include "importers/summary/summary_layers.h"

namespace highwater {

namespace {

using summary::Layer;

/// Memory that is live between two moments: an allocation of the summary, or a layer.
struct Piece
{
    std::uint32_t birth = 0;
    std::uint32_t death = SummaryAllocation::kNever;
    Bytes bytes = 0;
    StringId category;
    StackId stack;
};

class TraceWriter
{
public:
    explicit TraceWriter(const RankSummary& summary)
        : m_summary(summary)
        , m_lastEvent(summary.moments.size(), -1)
    {
    }

    Result<std::shared_ptr<const Trace>> write()
    {
        const Result<std::vector<Layer>> layers = summary::layersBeyondAllocations(m_summary);
        if (!layers)
            return tl::unexpected(layers.error());
        m_device = m_builder.device(static_cast<DeviceKind>(m_summary.device.kind), m_summary.device.ordinal);
        addStacks();
        addPieces(*layers);
        addOlderMemory();
        addEvents();
        describeDevice();
        fillMetadata();
        return m_builder.finish();
    }

private:
    void addStacks()
    {
        std::vector<StringId> texts;
        for (const std::string& text : m_summary.strings)
            texts.push_back(m_builder.strings().intern(text));
        std::vector<FrameId> frames;
        for (const SummaryFrame& frame : m_summary.frames)
            frames.push_back(m_builder.stacks().internFrame(
                {texts[frame.function], texts[frame.file], frame.line, frame.kind, {}}));
        m_stacks.push_back(StackTable::kEmpty);
        for (std::size_t i = 1; i < m_summary.nodes.size(); ++i)
            m_stacks.push_back(m_builder.stacks().internNode(
                frames[m_summary.nodes[i].frame], m_stacks[m_summary.nodes[i].caller]));
        if (m_summary.stackFacts.noStacks.empty()) // a recording without stacks gets none here either
            m_layerStack = m_builder.stacks().internNode(
                m_builder.stacks().internFrame({m_builder.strings().intern(kCategoryOnlyFrame),
                    m_builder.strings().intern(""), 0, FrameKind::Native, {}}),
                StackTable::kEmpty);
    }

    StackId stack(SummaryStack stack) const { return stack == kNoSummaryStack ? StackId() : m_stacks[stack]; }

    void addPieces(const std::vector<Layer>& layers)
    {
        std::vector<StringId> categories;
        for (const std::string& category : m_summary.categories)
            categories.push_back(m_builder.strings().intern(category));
        for (const SummaryAllocation& allocation : m_summary.allocations)
            m_pieces.push_back({allocation.birth, allocation.death, allocation.bytes,
                categories[allocation.category], stack(allocation.stack)});
        for (const Layer& layer : layers)
            m_pieces.push_back(
                {layer.birth, layer.death, layer.bytes, categories[layer.category], m_layerStack});
        m_births.resize(m_summary.moments.size());
        m_deaths.resize(m_summary.moments.size());
        for (std::uint32_t i = 0; i < m_pieces.size(); ++i) {
            m_births[m_pieces[i].birth].push_back(i);
            if (m_pieces[i].death != SummaryAllocation::kNever)
                m_deaths[m_pieces[i].death].push_back(i);
        }
    }

    /// Adds the memory that was allocated before recording began and never freed.
    void addOlderMemory()
    {
        for (const std::uint32_t index : m_births[0]) {
            const Piece& piece = m_pieces[index];
            if (piece.death != SummaryAllocation::kNever)
                continue;
            m_builder.addBlockFromBeforeRecording(m_device, piece.bytes, piece.category, {});
            const std::uint32_t row = m_builder.blockCount() - 1;
            Block block = m_builder.block(row);
            block.address = addressOf(index);
            block.stack = piece.stack;
            m_builder.setBlock(row, block);
        }
    }

    static Address addressOf(std::uint32_t piece) { return Address{piece} + 1; }

    Nanoseconds timeAt(std::size_t moment) const
    {
        return m_summary.moments.time.empty() ? 0 : m_summary.moments.time[moment];
    }

    void addPiece(Action action, std::uint32_t index, std::size_t moment)
    {
        const Piece& piece = m_pieces[index];
        MemoryEvent event;
        event.action = action;
        event.address = addressOf(index);
        event.size = piece.bytes;
        event.time = timeAt(moment);
        event.category = piece.category;
        // A free has a stack only if its allocation is not in the recording.
        if (action == Action::Alloc || piece.birth == 0)
            event.stack = piece.stack;
        m_builder.addEvent(event);
    }

    /// Adds ends before births, so that no total between two moments exceeds both.
    void addEvents()
    {
        endSteps(0);
        for (std::size_t moment = 1; moment < m_births.size(); ++moment) {
            const std::size_t countBefore = m_builder.eventCount();
            for (const std::uint32_t index : m_deaths[moment])
                addPiece(Action::Free, index, moment);
            for (const std::uint32_t index : m_births[moment])
                addPiece(Action::Alloc, index, moment);
            addFailures(moment);
            if (m_builder.eventCount() == countBefore)
                addMark(moment); // every moment needs an event, because steps begin and end at moments
            m_lastEvent[moment] = eventCount() - 1;
            endSteps(moment);
        }
        m_builder.assignEvents(m_device, {{0, static_cast<std::uint32_t>(m_builder.eventCount())}});
    }

    std::int64_t eventCount() const { return static_cast<std::int64_t>(m_builder.eventCount()); }

    /// Ends the steps that end at this moment or before the next one. The smallest summaries have no moments
    /// at the ends of steps; each of these steps then ends with a mark, so that no step is without an event.
    void endSteps(std::size_t moment)
    {
        const std::vector<std::int64_t>& events = m_summary.moments.event;
        const auto endsHere = [&](const SummaryStep& step) {
            return moment + 1 == events.size() || step.end - 1 < events[moment + 1];
        };
        while (m_stepEnds.size() < m_summary.steps.size() && endsHere(m_summary.steps[m_stepEnds.size()])) {
            if (m_summary.steps[m_stepEnds.size()].end - 1 != events[moment])
                addMark(moment);
            m_stepEnds.push_back(eventCount());
        }
    }

    void addMark(std::size_t moment)
    {
        MemoryEvent event;
        event.action = Action::Snapshot;
        event.time = timeAt(moment);
        for (const std::vector<Bytes>& category : m_summary.moments.byCategory)
            event.size += category[moment];
        m_builder.addEvent(event);
    }

    void addFailures(std::size_t moment)
    {
        for (const SummaryOom& oom : m_summary.ooms) {
            if (oom.event != m_summary.moments.event[moment])
                continue;
            MemoryEvent event;
            event.action = Action::Oom;
            event.address = static_cast<Address>(std::max<Bytes>(oom.deviceFreeBytes, 0));
            event.size = oom.requestedBytes;
            event.time = timeAt(moment);
            event.stack = stack(oom.stack);
            m_builder.addEvent(event);
        }
    }

    /// Returns the moment of an event of the recording: the last one at or before it.
    std::size_t momentOf(std::int64_t event) const
    {
        const auto& events = m_summary.moments.event;
        const auto nextMoment = std::ranges::upper_bound(events, event);
        return nextMoment == events.begin() ? 0 : static_cast<std::size_t>(nextMoment - events.begin()) - 1;
    }
    std::int64_t eventOf(std::int64_t recorded) const { return m_lastEvent[momentOf(recorded)]; }

    void describeDevice()
    {
        Device& device = m_builder.deviceRow(m_device);
        const SummaryDevice& summaryDevice = m_summary.device;
        device.name = summaryDevice.name;
        device.capacity = summaryDevice.capacityBytes;
        device.quantity = static_cast<Quantity>(summaryDevice.quantity);
        device.hasFinalSegments = false;
        device.addressesRecorded = false;
        const std::vector<Bytes>& reserved = m_summary.moments.reserved;
        const std::size_t first = firstKnownReserved();
        for (std::size_t moment = first; moment < reserved.size(); ++moment)
            if (moment == first || reserved[moment] != reserved[moment - 1])
                device.reserved.push_back({m_lastEvent[moment], reserved[moment]});
    }

    /// Returns the first moment at which a reserved total had been reported. The summary has 0 before that,
    /// although memory may have been in use.
    std::size_t firstKnownReserved() const
    {
        const std::vector<Bytes>& reserved = m_summary.moments.reserved;
        const auto isUnknown = [&](std::size_t moment) {
            return reserved[moment] == 0
                && std::ranges::any_of(m_summary.moments.byCategory,
                    [moment](const std::vector<Bytes>& bytes) { return bytes[moment] > 0; });
        };
        std::size_t first = 0;
        while (first < reserved.size() && isUnknown(first))
            ++first;
        return first;
    }

    void fillMetadata()
    {
        TraceMetadata& metadata = m_builder.metadata();
        metadata.kind = TraceKind::RankSummary;
        metadata.producer = m_summary.producer;
        metadata.settings = m_summary.settings;
        metadata.configuration = m_summary.configuration;
        metadata.clock = static_cast<Clock>(m_summary.clock);
        addProducer("summary_of", m_summary.source.name);
        addProducer("summary_of_format", m_summary.source.format);
        addProducer("summary_of_events", fmt::to_string(m_summary.device.events));
        addProducer("peak_event_of_recording", fmt::to_string(m_summary.device.peakEvent));
        if (m_summary.identity.rank)
            addProducer("rank", fmt::to_string(*m_summary.identity.rank));
        if (!m_summary.identity.host.empty())
            addProducer("host", m_summary.identity.host);
        for (const auto& [fact, method] : m_summary.identity.found)
            addProducer(fact + "_found_by", method);
        addNotes();
        addMessages();
    }

    void addProducer(const std::string& name, const std::string& text)
    {
        std::vector<NamedText>& producer = m_builder.metadata().producer;
        std::erase_if(producer, [&](const NamedText& entry) { return entry.first == name; });
        producer.emplace_back(name, text);
    }

    void addNotes()
    {
        SummaryNotes notes{m_summary.stepReason, m_summary.steps, m_summary.findings};
        for (std::size_t i = 0; i < notes.steps.size(); ++i) {
            notes.steps[i].begin = i == 0 ? 0 : m_stepEnds[i - 1];
            notes.steps[i].end = m_stepEnds[i];
            notes.steps[i].peakEvent = eventOf(notes.steps[i].peakEvent);
        }
        for (SummaryFinding& finding : notes.findings)
            finding.event = eventOf(finding.event);
        addSummaryNotes(m_builder.metadata(), notes);
        addSummaryStackFacts(m_builder.metadata(), m_summary.stackFacts);
    }

    void addMessages()
    {
        std::string limits;
        for (const std::string& limit : m_summary.limits)
            limits += (limits.empty() ? "" : "; ") + limit;
        m_builder.log().add(Severity::Info, "summary",
            fmt::format("is a summary of {}; {}; events are renumbered", m_summary.source.name, limits));
        if (!m_summary.source.cutOff.empty())
            m_builder.log().add(Severity::Warning, "summary-of-part",
                fmt::format("the summarized recording ends early: {}", m_summary.source.cutOff));
        for (const ImportLogEntry& entry : m_summary.importLog)
            m_builder.log().add(entry.severity, entry.code, entry.message, {}, entry.count);
    }

    const RankSummary& m_summary;
    TraceBuilder m_builder;
    DeviceIndex m_device = 0;
    std::vector<StackId> m_stacks; ///< by node of the summary
    StackId m_layerStack;
    std::vector<Piece> m_pieces;
    std::vector<std::vector<std::uint32_t>> m_births; ///< by moment
    std::vector<std::vector<std::uint32_t>> m_deaths;
    std::vector<std::int64_t> m_lastEvent; ///< last event of the trace at each moment
    std::vector<std::int64_t> m_stepEnds; ///< for each step, the index after its last event in the trace
};

} // namespace

Result<std::shared_ptr<const Trace>> buildSummaryTrace(const RankSummary& summary)
{
    return TraceWriter(summary).write();
}

} // namespace highwater
