#include "importers/pytorch_snapshot/snapshot_writer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/interruption.h"
#include "core/trace/cut_recording.h"
#include "core/trace/rehearsed.h"
#include "importers/pytorch_snapshot/snapshot_values.h"

namespace highwater {

namespace {

/// Limits the list of traces, which has an entry for each device number up to the largest.
constexpr std::int64_t kMaxOrdinal = 1023;
/// Batch size of Python's pickler.
constexpr std::size_t kPickleBatch = 1000;
constexpr std::size_t kWrittenPieceBytes = 1 << 16;
constexpr Nanoseconds kNanosecondsPerMicrosecond = 1000;

std::string_view stateText(BlockState state)
{
    switch (state) {
    case BlockState::Active: return "active_allocated";
    case BlockState::PendingFree: return "active_pending_free";
    case BlockState::Inactive: break;
    }
    return "inactive";
}

/// Sums over a segment's blocks, as the allocator reports them.
struct SegmentSums
{
    Bytes allocated = 0;
    Bytes active = 0;
    Bytes requested = 0;
};

SegmentSums sumsOf(BlockRange blocks)
{
    SegmentSums sums;
    for (const Block& block : blocks) {
        sums.allocated += block.state == BlockState::Active ? block.size : 0;
        sums.active += block.isLive() ? block.size : 0;
        sums.requested += block.isLive() ? block.requestedSize : 0;
    }
    return sums;
}

class SnapshotWriter
{
public:
    SnapshotWriter(const Trace& trace, const ByteSink& sink)
        : m_trace(trace)
        , m_sink(sink)
        , m_values(m_pickle)
        , m_frames(trace.stacks.frameCount(), kNotWritten)
    {
    }

    bool write()
    {
        m_pickle.proto(4).emptyDict().mark();
        const bool hasHost = std::ranges::any_of(m_trace.devices, isHost);
        writeSegments("segments", false);
        writeTraces();
        writeSettings();
        writeAnnotations();
        if (hasHost) {
            writeSegments("host_segments", true);
            m_values.writeText("host_traces");
            writeEvents(hostDevice());
        }
        writeFurtherEntries();
        m_pickle.setItems();
        m_pickle.op(pickle::Stop);
        return flush();
    }

private:
    static constexpr std::uint32_t kNotWritten = SnapshotValues::kNotWritten;

    static bool isHost(const Device& device) { return device.kind == DeviceKind::HostPinned; }
    const Device* hostDevice() const
    {
        const auto host = std::ranges::find_if(m_trace.devices, isHost);
        return host == m_trace.devices.end() ? nullptr : &*host;
    }

    bool flush()
    {
        m_isGood = m_isGood && m_sink(m_pickle.bytes());
        m_pickle.clear();
        return m_isGood;
    }

    /// Writes a list by calling `write` for each of `count` indices.
    template <typename Write>
    void writeList(std::size_t count, Write write)
    {
        m_pickle.emptyList();
        for (std::size_t i = 0; i < count && m_isGood; ++i) {
            if (i % kPickleBatch == 0)
                m_pickle.mark();
            write(i);
            if (i % kPickleBatch == kPickleBatch - 1 || i + 1 == count)
                m_pickle.appends();
            if (m_pickle.bytes().size() > kWrittenPieceBytes)
                flush();
        }
    }

    void writeEntry(std::string_view key, std::int64_t value)
    {
        m_values.writeText(key);
        m_pickle.integer(value);
    }
    void writeAddress(std::string_view key, Address value)
    {
        m_values.writeText(key);
        m_pickle.integer(value);
    }
    void writeEntry(std::string_view key, std::string_view value)
    {
        m_values.writeText(key);
        m_values.writeText(value);
    }
    void writeStream(StreamId id) { writeEntry("stream", id.isNone() ? 0 : m_trace.streams[id.index()]); }
    void writePool(std::string_view key, PoolId id)
    {
        if (id.isNone())
            return;
        const PoolKey& pool = m_trace.pools[id.index()];
        m_values.writeText(key);
        m_pickle.integer(pool.first).integer(pool.second).tuple2();
    }

    void writeFrame(FrameId id)
    {
        std::uint32_t& slot = m_frames[id.index()];
        if (m_values.pushIfWritten(slot))
            return;
        const Frame frame = m_trace.stacks.frame(id);
        m_pickle.emptyDict();
        slot = m_values.memoize();
        m_pickle.mark();
        writeEntry("name", m_trace.text(frame.function));
        writeEntry("filename", m_trace.text(frame.file));
        writeEntry("line", std::int64_t{frame.line});
        m_values.writeJsonMembers(m_trace.text(frame.details));
        m_pickle.setItems();
    }

    /// Writes an empty stack as an empty list.
    void writeFrames(StackId stack)
    {
        m_values.writeText("frames");
        if (!m_trace.stacks.hasFrames(stack)) {
            m_pickle.emptyList();
            return;
        }
        const auto [slot, isNew] = m_stacks.try_emplace(stack.value(), kNotWritten);
        if (!isNew) {
            m_pickle.get(slot->second);
            return;
        }
        const std::vector<FrameId> ids = m_trace.stacks.frames(stack);
        m_pickle.emptyList();
        const std::uint32_t listSlot = m_values.memoize();
        m_stacks.insert_or_assign(stack.value(), listSlot);
        for (std::size_t first = 0; first < ids.size(); first += kPickleBatch) {
            m_pickle.mark();
            for (std::size_t i = first; i < std::min(first + kPickleBatch, ids.size()); ++i)
                writeFrame(ids[i]);
            m_pickle.appends();
        }
    }

    void writeEvent(std::size_t row, bool hasTimes)
    {
        const MemoryEvent event = m_trace.events.row(row);
        m_pickle.emptyDict().mark();
        writeEntry("action", m_trace.actionName(event.action));
        writeAddress(event.action == Action::Oom ? "device_free" : "addr", event.address);
        writeEntry("size", event.size);
        writeStream(event.stream);
        if (hasTimes)
            writeEntry("time_us", event.time / kNanosecondsPerMicrosecond);
        writePool("pool_id", event.pool);
        m_values.writeJsonMembers(m_trace.text(event.details));
        if (!event.stack.isNone())
            writeFrames(event.stack);
        m_pickle.setItems();
    }

    /// Writes an empty list if `device` is null.
    void writeEvents(const Device* device)
    {
        const RowRange rows = device ? device->events : RowRange{};
        const bool hasTimes = device && device->times != TimeQuality::None;
        InterruptionCounter interruption;
        writeList(rows.size(), [&](std::size_t i) {
            interruption.round();
            writeEvent(rows.first + i, hasTimes);
        });
    }

    void writeTraces()
    {
        std::vector<const Device*> byOrdinal;
        for (const Device& device : m_trace.devices) {
            if (isHost(device) || device.ordinal < 0 || device.ordinal > kMaxOrdinal)
                continue; // the device has no events, as `checkWritable` has ensured
            const auto index = static_cast<std::size_t>(device.ordinal);
            byOrdinal.resize(std::max(byOrdinal.size(), index + 1), nullptr);
            byOrdinal[index] = &device;
        }
        m_values.writeText("device_traces");
        m_pickle.emptyList();
        if (byOrdinal.empty())
            return;
        m_pickle.mark();
        for (const Device* device : byOrdinal)
            writeEvents(device);
        m_pickle.appends();
    }

    void writeBlock(const Block& block)
    {
        m_pickle.emptyDict().mark();
        writeAddress("address", block.address);
        writeEntry("size", block.size);
        writeEntry("requested_size", block.requestedSize);
        writeEntry("state", stateText(block.state));
        writeFrames(block.stack);
        m_pickle.setItems();
    }

    void writeSegment(const Segment& segment)
    {
        const BlockRange blocks = m_trace.segments.blocksOf(segment);
        const SegmentSums sums = sumsOf(blocks);
        m_pickle.emptyDict().mark();
        writeEntry("device", segment.deviceOrdinal);
        writeAddress("address", segment.address);
        writeEntry("total_size", segment.totalSize);
        writeEntry("allocated_size", sums.allocated);
        writeEntry("active_size", sums.active);
        writeEntry("requested_size", sums.requested);
        writeStream(segment.stream);
        if (segment.type != SegmentType::Unknown)
            writeEntry("segment_type", segment.type == SegmentType::Small ? "small" : "large");
        writePool("segment_pool_id", segment.pool);
        m_values.writeText("is_expandable");
        m_pickle.boolean(segment.expandable);
        writeFrames(segment.stack);
        m_values.writeText("blocks");
        writeList(blocks.size(), [&](std::size_t i) { writeBlock(blocks[i]); });
        m_pickle.setItems();
    }

    void writeSegments(std::string_view key, bool ofHost)
    {
        std::vector<std::uint32_t> rows;
        for (const Device& device : m_trace.devices)
            if (isHost(device) == ofHost)
                for (std::uint32_t row = device.segments.first; row < device.segments.last; ++row)
                    rows.push_back(row);
        m_values.writeText(key);
        writeList(rows.size(), [&](std::size_t i) { writeSegment(m_trace.segments.segments[rows[i]]); });
    }

    void writeSettings()
    {
        if (m_trace.metadata.settings.empty())
            return;
        m_values.writeText("allocator_settings");
        m_values.writeSettingsTree(m_trace.metadata.settings);
    }

    /// Writes the recorded ends of each span, in time order.
    void writeAnnotations()
    {
        struct Mark
        {
            const Span* span;
            Nanoseconds time;
            bool start;
        };
        std::vector<Mark> marks;
        for (const Span& span : m_trace.spans) {
            if (!span.beginMissing)
                marks.push_back({&span, span.begin, true});
            if (!span.endMissing)
                marks.push_back({&span, span.end, false});
        }
        if (marks.empty())
            return;
        std::ranges::stable_sort(marks, {}, &Mark::time);
        m_values.writeText("external_annotations");
        writeList(marks.size(), [&](std::size_t i) {
            const Mark& mark = marks[i];
            m_pickle.emptyDict().mark();
            writeEntry("name", m_trace.text(mark.span->name));
            writeEntry("stage", mark.start ? "START" : "END");
            writeEntry(
                "device", mark.span->deviceOrdinal == Span::kAllDevices ? 0 : mark.span->deviceOrdinal);
            writeEntry("time_us", mark.time / kNanosecondsPerMicrosecond);
            m_pickle.setItems();
        });
    }

    /// Writes a top-level entry that is a dict with one text.
    void writeTextDict(std::string_view name, std::string_view key, const std::string& value)
    {
        m_values.writeText(name);
        m_pickle.emptyDict().mark();
        writeEntry(key, value);
        m_pickle.setItems();
    }

    void writeFurtherEntries()
    {
        const TraceMetadata& metadata = m_trace.metadata;
        if (metadata.startLost && !metadata.setting("trace_alloc_overflowed")) {
            m_values.writeText("trace_alloc_overflowed");
            m_pickle.boolean(true);
        }
        for (const auto& [name, json] : metadata.unknownEntries)
            m_values.writeJsonMember(name, json);
        if (const std::string gpu = rehearsedGpu(metadata); !gpu.empty())
            writeTextDict("highwater_rehearsal", "gpu", gpu);
        for (const auto& [name, value] : metadata.producer)
            if (name == kCutEntry)
                writeTextDict(kCutKey, kCutKeptKey, value);
    }

    const Trace& m_trace;
    const ByteSink& m_sink;
    pickle::Writer m_pickle;
    SnapshotValues m_values;
    std::vector<std::uint32_t> m_frames; ///< slot of each frame
    NumberMap<std::uint32_t, std::uint32_t> m_stacks; ///< slot of each stack
    bool m_isGood = true;
};

/// Fails if the format cannot hold the trace.
Result<void> checkWritable(const Trace& trace)
{
    for (const Device& device : trace.devices) {
        if (!device.hasFinalSegments)
            return fail(ErrorCode::BadRequest,
                "does not record the live memory at its end, as a memory snapshot does");
        const bool hasPlace
            = device.kind == DeviceKind::HostPinned || (device.ordinal >= 0 && device.ordinal <= kMaxOrdinal);
        if (!hasPlace && !device.events.isEmpty())
            return fail(ErrorCode::BadRequest, "has events of an impossible device number");
    }
    return {};
}

} // namespace

Result<void> writeSnapshot(const Trace& trace, const ByteSink& sink)
{
    if (const Result<void> writable = checkWritable(trace); !writable)
        return writable;
    if (!SnapshotWriter(trace, sink).write())
        return fail(ErrorCode::CannotRead, "the file could not be written");
    return {};
}

} // namespace highwater
