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
class Copy
{
public:
    Copy(const Trace& from, const CutTexts& texts)
        : m_from(from)
        , m_texts(texts)
        , m_ids(from.strings.size())
        , m_files(from.strings.size())
        , m_frames(from.stacks.frameCount())
    {
    }

    TraceBuilder& builder() { return m_builder; }

    std::string text(std::string_view text) const
    {
        return m_texts.other ? m_texts.other(text) : std::string(text);
    }
    StringId text(StringId id) { return mapped(id, m_ids, m_texts.other); }

    StackId stack(StackId id)
    {
        if (!m_from.stacks.hasFrames(id))
            return id.isNone() ? id : StackTable::kEmpty;
        const auto [known, isFresh] = m_stacks.try_emplace(id.value(), StackId());
        if (!isFresh)
            return known->second;
        std::vector<FrameId> frames = m_from.stacks.frames(id);
        for (FrameId& frame : frames)
            frame = mapped(frame);
        const StackId made = m_builder.stacks().internStack(frames);
        m_stacks.insert_or_assign(id.value(), made);
        return made;
    }
    StreamId stream(StreamId id) { return id.isNone() ? id : m_builder.stream(m_from.streams[id.index()]); }
    PoolId pool(PoolId id) { return id.isNone() ? id : m_builder.pool(m_from.pools[id.index()]); }

    MemoryEvent event(std::size_t row)
    {
        MemoryEvent event = m_from.events.row(row);
        if (event.action >= Action::FirstUnknown)
            event.action = m_builder.action(text(m_from.actionName(event.action)));
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
    FrameId mapped(FrameId id)
    {
        FrameId& made = m_frames[id.index()];
        if (made.isNone()) {
            Frame frame = m_from.stacks.frame(id);
            frame.function = text(frame.function);
            frame.file = mapped(frame.file, m_files, m_texts.file);
            frame.details = text(frame.details);
            made = m_builder.stacks().internFrame(frame);
        }
        return made;
    }
    StringId mapped(
        StringId id, std::vector<StringId>& known, const std::function<std::string(std::string_view)>& change)
    {
        if (id.isNone())
            return id;
        StringId& made = known[id.index()];
        if (made.isNone()) {
            const std::string_view text = m_from.text(id);
            made = m_builder.strings().intern(change ? change(text) : std::string(text));
        }
        return made;
    }

    const Trace& m_from;
    const CutTexts& m_texts;
    TraceBuilder m_builder;
    std::vector<StringId> m_ids; ///< by ID in the original
    std::vector<StringId> m_files; ///< by ID in the original, for strings that name a file
    std::vector<FrameId> m_frames;
    NumberMap<std::uint32_t, StackId> m_stacks;
};

/// Builds the new trace device by device.
class Cutter
{
public:
    Cutter(const Trace& from, const CutTexts& texts)
        : m_from(from)
        , m_copy(from, texts)
    {
    }

    void addDevice(const CutRange& range)
    {
        const Device& about = m_from.devices[range.device];
        const DeviceIndex device = m_copy.builder().device(about.kind, about.ordinal, about.process);
        Device& made = m_copy.builder().deviceRow(device);
        made.name = m_copy.text(about.name);
        made.capacity = about.capacity;
        made.quantity = about.quantity;
        made.addressesRecorded = about.addressesRecorded;
        addEvents(range, device);
        addSegments(range, device);
        m_kept.push_back(fmt::format("events {} to {} of {} of {}", formatCount(range.first),
            formatCount(range.last), formatCount(m_from.eventCount(range.device)), about.label()));
    }

    CutTrace finish(const std::vector<CutRange>& ranges)
    {
        addSpans();
        addMetadata();
        CutTrace cut;
        cut.trace = m_copy.builder().finish();
        cut.reservations = std::move(m_reservations);
        for (const CutRange& range : ranges)
            cut.largestDifference = std::max(cut.largestDifference, differenceIn(range, *cut.trace));
        return cut;
    }

private:
    void addEvents(const CutRange& range, DeviceIndex device)
    {
        const auto first = static_cast<std::uint32_t>(m_copy.builder().eventCount());
        InterruptionCounter interruption;
        for (std::int64_t event = range.first; event < range.last; ++event) {
            interruption.round();
            const std::size_t row = m_from.row(range.device, event);
            m_times.include(m_from.events.time[row]);
            m_copy.builder().addEvent(m_copy.event(row));
        }
        m_copy.builder().assignEvents(
            device, {{first, static_cast<std::uint32_t>(m_copy.builder().eventCount())}});
    }

    void addSegments(const CutRange& range, DeviceIndex device)
    {
        const AllocationTable allocations(m_from, range.device);
        const LiveIndex live(allocations);
        const SegmentHistory history(m_from, allocations, live);
        const EndSegments end = segmentsAfter(history, live, range.last - 1);
        for (Segment segment : end.segments) {
            const RowRange rows = segment.blocks;
            segment = m_copy.segment(segment);
            segment.blocks.first = m_copy.builder().blockCount();
            for (std::uint32_t row = rows.first; row < rows.last; ++row)
                m_copy.builder().addBlock(m_copy.block(end.blocks[row]));
            segment.blocks.last = m_copy.builder().blockCount();
            m_copy.builder().addSegment(device, segment);
        }
        if (!end.recorded)
            for (const std::string& sentence : reservations(end.state))
                m_reservations.push_back(sentence);
    }

    void addSpans()
    {
        for (const Span& span : m_from.spans) {
            const bool isKept
                = !m_times.isKnown() || (span.end >= m_times.first && span.begin <= m_times.last);
            if (!isKept)
                continue;
            Span kept = span;
            kept.name = m_copy.text(span.name);
            m_copy.builder().addSpan(kept);
        }
    }

    void addMetadata()
    {
        TraceMetadata& metadata = m_copy.builder().metadata();
        metadata = m_from.metadata;
        for (auto* const texts : {&metadata.producer, &metadata.settings, &metadata.unknownEntries})
            for (auto& [name, value] : *texts) {
                name = m_copy.text(name);
                value = m_copy.text(value);
            }
        metadata.configuration.clear();
        metadata.hasHistory = m_copy.builder().eventCount() > 1;
        std::erase_if(metadata.producer, [](const NamedText& entry) { return entry.first == kCutEntry; });
        std::string kept;
        for (const std::string& device : m_kept)
            kept += (kept.empty() ? "" : "; ") + device;
        metadata.producer.emplace_back(kCutEntry, kept);
    }

    /// Returns the largest difference of live bytes between the original and the cut at the kept events of a
    /// device.
    Bytes differenceIn(const CutRange& range, const Trace& cut) const
    {
        const Device& about = m_from.devices[range.device];
        const auto same = std::ranges::find_if(cut.devices, [&](const Device& device) {
            return device.kind == about.kind && device.ordinal == about.ordinal
                && device.process == about.process;
        });
        const auto device = static_cast<DeviceIndex>(same - cut.devices.begin());
        const AllocationTable before(m_from, range.device);
        const AllocationTable after(cut, device);
        const UsageCurve whole(m_from, before);
        const UsageCurve part(cut, after);
        Bytes largest = 0;
        for (std::int64_t event = range.first - 1; event < range.last; ++event)
            largest = std::max(largest, std::abs(whole.at(event) - part.at(event - range.first)));
        return largest;
    }

    const Trace& m_from;
    Copy m_copy;
    TimeRange m_times;
    std::vector<std::string> m_reservations;
    std::vector<std::string> m_kept; ///< text about the kept events of each device
};

} // namespace

std::string whyNotCut(const Trace& trace)
{
    const bool endsEarly
        = trace.metadata.cutOff || std::ranges::any_of(trace.devices, [](const Device& device) {
              return device.eventsRead != Extent::Whole || device.segmentsRead != Extent::Whole;
          });
    if (endsEarly)
        return "ends early, so its live memory at the end is unknown and no part can be cut out";
    const bool isSnapshot
        = !trace.devices.empty() && std::ranges::all_of(trace.devices, &Device::endsInSegments);
    return isSnapshot ? "" : "is not a PyTorch memory snapshot; only those can be cut";
}

Result<CutTrace> cutTrace(const Trace& trace, const std::vector<CutRange>& ranges, const CutTexts& texts)
{
    if (std::string problem = whyNotCut(trace); !problem.empty())
        return fail(ErrorCode::BadRequest, std::move(problem));
    Cutter cutter(trace, texts);
    for (const CutRange& range : ranges)
        cutter.addDevice(range);
    return cutter.finish(ranges);
}

} // namespace highwater
