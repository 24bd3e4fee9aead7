#include "core/analysis/cut/cut_trace.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/analysis/cut/end_segments.h"
#include "core/analysis/usage/usage_curve.h"
#include "core/base/hash.h"
#include "core/base/interruption.h"
#include "core/base/text_format.h"
#include "core/trace/cut_recording.h"
#include "core/trace/source_code.h"
#include "core/trace/trace_builder.h"

namespace highwater {

namespace {

/// First and last time of the kept events.
struct TimeRange
{
    Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
    Nanoseconds last = 0;

    bool isKnown() const { return first <= last; }
    void include(Nanoseconds time)
    {
        if (time == 0)
            return;
        first = std::min(first, time);
        last = std::max(last, time);
    }
};

/// Copies rows of one trace into a new trace. The tables of the new trace get only the stacks and texts that
/// these rows need.
class TraceCopier
{
public:
    TraceCopier(const Trace& source, const CutTexts& texts)
        : m_source(source)
        , m_texts(texts)
        , m_stringIds(source.strings.size())
        , m_fileIds(source.strings.size())
        , m_frameIds(source.stacks.frameCount())
    {
    }

    TraceBuilder& builder() { return m_builder; }
    bool changesTexts() const { return static_cast<bool>(m_texts.other); }

    std::string text(std::string_view text) const
    {
        return m_texts.other ? m_texts.other(text) : std::string(text);
    }
    StringId text(StringId id) { return copied(id, m_stringIds, m_texts.other); }

    StackId stack(StackId id)
    {
        if (!m_source.stacks.hasFrames(id))
            return id.isNone() ? id : StackTable::kEmpty;
        const auto [known, isFresh] = m_stackIds.try_emplace(id.value(), StackId());
        if (!isFresh)
            return known->second;
        std::vector<FrameId> frames = m_source.stacks.frames(id);
        for (FrameId& frame : frames)
            frame = copied(frame);
        const StackId copy = m_builder.stacks().internStack(frames);
        m_stackIds.insert_or_assign(id.value(), copy);
        return copy;
    }
    StreamId stream(StreamId id) { return id.isNone() ? id : m_builder.stream(m_source.streams[id.index()]); }
    PoolId pool(PoolId id) { return id.isNone() ? id : m_builder.pool(m_source.pools[id.index()]); }

    MemoryEvent event(std::size_t row)
    {
        MemoryEvent event = m_source.events.row(row);
        if (event.action >= Action::FirstUnknown)
            event.action = m_builder.action(text(m_source.actionName(event.action)));
        event.stream = stream(event.stream);
        event.stack = stack(event.stack);
        event.pool = pool(event.pool);
        event.category = text(event.category);
        event.details = text(event.details);
        return event;
    }
    Block block(Block block)
    {
        block.stack = stack(block.stack);
        block.category = text(block.category);
        return block;
    }
    Segment segment(Segment segment)
    {
        segment.stream = stream(segment.stream);
        segment.pool = pool(segment.pool);
        segment.stack = stack(segment.stack);
        return segment;
    }

private:
    FrameId copied(FrameId id)
    {
        FrameId& copy = m_frameIds[id.index()];
        if (copy.isNone()) {
            Frame frame = m_source.stacks.frame(id);
            frame.function = text(frame.function);
            frame.file = copied(frame.file, m_fileIds, m_texts.file);
            frame.details = text(frame.details);
            copy = m_builder.stacks().internFrame(frame);
        }
        return copy;
    }
    StringId copied(StringId id, std::vector<StringId>& known,
        const std::function<std::string(std::string_view)>& changeText)
    {
        if (id.isNone())
            return id;
        StringId& copy = known[id.index()];
        if (copy.isNone()) {
            const std::string_view text = m_source.text(id);
            copy = m_builder.strings().intern(changeText ? changeText(text) : std::string(text));
        }
        return copy;
    }

    const Trace& m_source;
    const CutTexts& m_texts;
    TraceBuilder m_builder;
    std::vector<StringId> m_stringIds; ///< by ID in the original
    std::vector<StringId> m_fileIds; ///< by ID in the original, for strings that name a file
    std::vector<FrameId> m_frameIds;
    NumberMap<std::uint32_t, StackId> m_stackIds;
};

/// Builds the new trace device by device.
class Cutter
{
public:
    Cutter(const Trace& source, const CutTexts& texts)
        : m_source(source)
        , m_copier(source, texts)
    {
    }

    void addDevice(const CutRange& range)
    {
        const Device& original = m_source.devices[range.device];
        const DeviceIndex device
            = m_copier.builder().device(original.kind, original.ordinal, original.process);
        Device& row = m_copier.builder().deviceRow(device);
        row.name = m_copier.text(original.name);
        row.capacity = original.capacity;
        row.quantity = original.quantity;
        row.addressesRecorded = original.addressesRecorded;
        addEvents(range, device);
        addSegments(range, device);
        m_keptTexts.push_back(fmt::format("{} of {}", rangeText(m_source, range), original.label()));
    }

    CutTrace finish(const std::vector<CutRange>& ranges)
    {
        addSpans();
        addMetadata();
        CutTrace cut;
        cut.trace = m_copier.builder().finish();
        cut.reservations = std::move(m_reservations);
        for (const CutRange& range : ranges)
            cut.largestDifference = std::max(cut.largestDifference, differenceIn(range, *cut.trace));
        return cut;
    }

private:
    void addEvents(const CutRange& range, DeviceIndex device)
    {
        const auto first = static_cast<std::uint32_t>(m_copier.builder().eventCount());
        InterruptionCounter interruption;
        for (std::int64_t event = range.first; event < range.last; ++event) {
            interruption.round();
            const std::size_t row = m_source.row(range.device, event);
            m_times.include(m_source.events.time[row]);
            m_copier.builder().addEvent(m_copier.event(row));
        }
        m_copier.builder().assignEvents(
            device, {{first, static_cast<std::uint32_t>(m_copier.builder().eventCount())}});
    }

    void addSegments(const CutRange& range, DeviceIndex device)
    {
        const AllocationTable allocations(m_source, range.device);
        const LiveIndex live(allocations);
        const SegmentHistory history(m_source, allocations, live);
        const EndSegments end = segmentsAfter(history, live, range.last - 1);
        for (Segment segment : end.segments) {
            const RowRange rows = segment.blocks;
            segment = m_copier.segment(segment);
            segment.blocks.first = m_copier.builder().blockCount();
            for (std::uint32_t row = rows.first; row < rows.last; ++row)
                m_copier.builder().addBlock(m_copier.block(end.blocks[row]));
            segment.blocks.last = m_copier.builder().blockCount();
            m_copier.builder().addSegment(device, segment);
        }
        if (!end.recorded)
            for (const std::string& sentence : reservations(end.state))
                m_reservations.push_back(sentence);
    }

    void addSpans()
    {
        for (const Span& span : m_source.spans) {
            const bool isKept
                = !m_times.isKnown() || (span.end >= m_times.first && span.begin <= m_times.last);
            if (!isKept)
                continue;
            Span copy = span;
            copy.name = m_copier.text(span.name);
            m_copier.builder().addSpan(copy);
        }
    }

    void addMetadata()
    {
        TraceMetadata& metadata = m_copier.builder().metadata();
        metadata = m_source.metadata;
        // Texts are changed for a file that is shared, and source code would be shared with it.
        if (m_copier.changesTexts())
            std::erase_if(metadata.unknownEntries,
                [](const NamedText& entry) { return entry.first == kSourceCodeEntry; });
        for (auto* const texts : {&metadata.producer, &metadata.settings, &metadata.unknownEntries})
            for (auto& [name, value] : *texts) {
                name = m_copier.text(name);
                value = m_copier.text(value);
            }
        metadata.configuration.clear();
        metadata.hasHistory = m_copier.builder().eventCount() > 1;
        std::erase_if(metadata.producer, [](const NamedText& entry) { return entry.first == kCutEntry; });
        std::string keptText;
        for (const std::string& device : m_keptTexts)
            keptText += (keptText.empty() ? "" : "; ") + device;
        metadata.producer.emplace_back(kCutEntry, keptText);
    }

    /// Returns the largest difference of live bytes between the original and the cut at the kept events of a
    /// device.
    Bytes differenceIn(const CutRange& range, const Trace& cut) const
    {
        const Device& original = m_source.devices[range.device];
        const auto counterpart = std::ranges::find_if(cut.devices, [&](const Device& device) {
            return device.kind == original.kind && device.ordinal == original.ordinal
                && device.process == original.process;
        });
        const auto device = static_cast<DeviceIndex>(counterpart - cut.devices.begin());
        const AllocationTable wholeAllocations(m_source, range.device);
        const AllocationTable partAllocations(cut, device);
        const UsageCurve wholeCurve(m_source, wholeAllocations);
        const UsageCurve partCurve(cut, partAllocations);
        Bytes largest = 0;
        for (std::int64_t event = range.first - 1; event < range.last; ++event)
            largest = std::max(largest, std::abs(wholeCurve.at(event) - partCurve.at(event - range.first)));
        return largest;
    }

    const Trace& m_source;
    TraceCopier m_copier;
    TimeRange m_times;
    std::vector<std::string> m_reservations;
    std::vector<std::string> m_keptTexts; ///< text about the kept events of each device
};

} // namespace

std::string rangeText(const Trace& trace, const CutRange& range)
{
    const std::string total = formatCount(trace.eventCount(range.device));
    return range.first < range.last
        ? fmt::format("events {} to {} of {}", formatCount(range.first), formatCount(range.last - 1), total)
        : "no events of " + total;
}

std::string reasonNotToCut(const Trace& trace)
{
    const bool endsEarly
        = trace.metadata.cutOff || std::ranges::any_of(trace.devices, [](const Device& device) {
              return device.eventsRead != Extent::Whole || device.segmentsRead != Extent::Whole;
          });
    if (endsEarly)
        return "ends early, so its live memory at the end is unknown and no part can be cut out";
    const bool isSnapshot
        = !trace.devices.empty() && std::ranges::all_of(trace.devices, &Device::hasFinalSegments);
    return isSnapshot ? "" : "is not a PyTorch memory snapshot; only snapshots can be cut";
}

Result<CutTrace> cutTrace(const Trace& trace, const std::vector<CutRange>& ranges, const CutTexts& texts)
{
    if (std::string problem = reasonNotToCut(trace); !problem.empty())
        return fail(ErrorCode::BadRequest, std::move(problem));
    Cutter cutter(trace, texts);
    for (const CutRange& range : ranges)
        cutter.addDevice(range);
    return cutter.finish(ranges);
}

} // namespace highwater
