#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/column.h"
#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/trace/span_builder.h"
#include "core/trace/trace.h"

namespace highwater {

/// Builds a Trace from the rows of an importer, which adds them in any order that suits its format.
/// `finish` sorts them, pairs the events and checks the invariants. Interned ids and rows of blocks stay
/// valid; device indices and other rows may change in `finish`. Adding a row is O(1), `finish` O(rows ×
/// log(rows)).
class TraceBuilder
{
public:
    TraceBuilder();

    StringPool& strings() { return m_trace->strings; }
    StackTable& stacks() { return m_trace->stacks; }
    ImportLog& log() { return m_trace->log; }
    TraceMetadata& metadata() { return m_trace->metadata; }

    StreamId stream(std::int64_t handle);
    PoolId pool(PoolKey key);
    const std::vector<PoolKey>& pools() const { return m_trace->pools; }
    /// Returns the action with this name. Unknown names are kept up to a limit; the others share one action.
    Action action(std::string_view name);

    /// Appends a row and returns its index. Rows belong to no device until `assignEvents` is called.
    std::uint32_t addEvent(const MemoryEvent& event);
    std::size_t eventCount() const { return m_trace->events.rows(); }
    MemoryEvent event(std::uint32_t row) const { return m_trace->events.row(row); }

    std::uint32_t addBlock(const Block& block);
    Block block(std::uint32_t row) const { return m_trace->segments.blocks[row]; }
    void setBlock(std::uint32_t row, const Block& block) { m_trace->segments.blocks.set(row, block); }
    std::uint32_t blockCount() const { return static_cast<std::uint32_t>(m_trace->segments.blocks.size()); }

    /// Returns the device of this kind, ordinal and process, which is created on first use.
    DeviceIndex device(DeviceKind kind, std::int64_t ordinal, std::optional<std::int64_t> process = {});
    std::size_t deviceCount() const { return m_trace->devices.size(); }
    /// Returns a device to set its properties; the reference is valid until the next device is added.
    Device& deviceRow(DeviceIndex device) { return m_trace->devices[device]; }
    /// Assigns the event rows of these ranges to the device, in this order, after those that it already
    /// has.
    void assignEvents(DeviceIndex device, std::vector<RowRange> rows);
    bool hasEvents(DeviceIndex device) const { return !m_deviceRows[device].empty(); }
    /// States that the file ends early, or is unreadable from some byte on. Of devices without final
    /// segments, only a part of the events is then known, and nothing of the end. Snapshots describe their
    /// cut themselves.
    void markCutOff() { m_isCutOff = true; }
    void addSegment(DeviceIndex device, const Segment& segment)
    {
        m_trace->segments.segments.push_back(segment);
        m_segmentDevices.push_back(device);
    }
    /// Adds memory allocated before recording began as one block outside all segments, which is live
    /// throughout. `category` is the recorder's. `frame` is the only frame of the block's stack and states
    /// how the block is known; if it is empty, the block has no stack.
    void addBlockFromBeforeRecording(
        DeviceIndex device, Bytes bytes, StringId category = {}, std::string_view frame = kKnownFromTotals);

    void addAnnotationMark(const AnnotationMark& mark) { m_marks.push_back(mark); }
    void addSpan(const Span& span) { m_trace->spans.push_back(span); }
    void addActivity(const Activity& activity) { m_trace->activities.push(activity); }
    void addCounter(CounterSeries series) { m_trace->counters.push_back(std::move(series)); }
    void addLogEvent(LogEvent event) { m_trace->logEvents.push_back(std::move(event)); }

    /// Returns about how many bytes events, segments, blocks, stacks and strings take so far.
    std::size_t memoryBytes() const;

    /// Finishes the trace and leaves the builder empty.
    std::shared_ptr<const Trace> finish();

private:
    void orderDevices();
    void orderEvents();
    void orderSegments();
    void addSpansOfMarks();
    void pairDevice(DeviceIndex device);

    void describeCut();

    std::unique_ptr<Trace> m_trace;
    bool m_isCutOff = false;
    using DeviceKey = std::tuple<DeviceKind, std::int64_t, std::optional<std::int64_t>>;
    std::map<DeviceKey, DeviceIndex> m_deviceIndices;
    std::vector<std::vector<RowRange>> m_deviceRows;
    std::vector<DeviceIndex> m_segmentDevices; ///< Device of each segment row
    std::vector<std::pair<DeviceIndex, std::uint32_t>> m_olderBlocks; ///< Device and block row
    Column<AnnotationMark> m_marks;
    NumberMap<std::int64_t, std::uint32_t> m_streamIds;
    std::int64_t m_lastStreamHandle = 0;
    StreamId m_lastStream;
    std::map<std::pair<std::uint64_t, std::uint64_t>, PoolId> m_poolIds;
    std::map<std::string, Action, std::less<>> m_actions;
};

} // namespace highwater
