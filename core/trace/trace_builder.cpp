#include "core/trace/trace_builder.h"

#include <algorithm>
#include <numeric>

#include "core/trace/cut_device.h"
#include "core/trace/event_pairing.h"
#include "core/trace/trace_check.h"

namespace highwater {

namespace {

constexpr std::size_t kMaxUnknownActions = 200;

void append(MemoryEventTable& target, const MemoryEventTable& source, RowRange rows)
{
    for (std::uint32_t row = rows.first; row < rows.last; ++row)
        target.push(source.row(row));
}

/// True if each device's rows are already contiguous and follow those of the device before, so that no
/// events need to be copied. This is the common case.
bool isInDeviceOrder(const std::vector<std::vector<RowRange>>& deviceRows)
{
    std::uint32_t previousEnd = 0;
    for (const std::vector<RowRange>& rows : deviceRows) {
        if (rows.size() > 1 || (rows.size() == 1 && rows[0].first < previousEnd))
            return false;
        if (rows.size() == 1)
            previousEnd = rows[0].last;
    }
    return true;
}

} // namespace

TraceBuilder::TraceBuilder()
    : m_trace(std::make_unique<Trace>())
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(Action::FirstUnknown); ++i) {
        const auto known = static_cast<Action>(i);
        m_actions.emplace(std::string(knownActionName(known)), known);
    }
}

StreamId TraceBuilder::stream(std::int64_t handle)
{
    if (handle == m_lastStreamHandle && !m_lastStream.isNone())
        return m_lastStream;
    const auto [found, isNew]
        = m_streamIds.try_emplace(handle, static_cast<std::uint32_t>(m_trace->streams.size()));
    if (isNew) {
        if (handle == 0)
            m_trace->defaultStream = StreamId(m_trace->streams.size());
        m_trace->streams.push_back(handle);
    }
    m_lastStreamHandle = handle;
    m_lastStream = StreamId(found->second);
    return m_lastStream;
}

PoolId TraceBuilder::pool(PoolKey key)
{
    // Nearly all events belong to the first pool, the default one.
    if (!m_trace->pools.empty() && m_trace->pools.front() == key)
        return PoolId(std::size_t{0});
    const auto [found, isNew] = m_poolIds.try_emplace({key.first, key.second}, PoolId(m_trace->pools.size()));
    if (isNew)
        m_trace->pools.push_back(key);
    return found->second;
}

Action TraceBuilder::action(std::string_view name)
{
    if (auto found = m_actions.find(name); found != m_actions.end())
        return found->second;
    std::vector<std::string>& unknown = m_trace->unknownActions;
    const std::size_t index = std::min(unknown.size(), kMaxUnknownActions);
    const auto code = static_cast<Action>(static_cast<std::size_t>(Action::FirstUnknown) + index);
    if (index < kMaxUnknownActions) {
        unknown.emplace_back(name);
        m_actions.emplace(std::string(name), code);
    }
    return code;
}

std::uint32_t TraceBuilder::addEvent(const MemoryEvent& event)
{
    m_trace->events.push(event);
    return static_cast<std::uint32_t>(m_trace->events.rows() - 1);
}

std::uint32_t TraceBuilder::addBlock(const Block& block)
{
    m_trace->segments.blocks.push_back(block);
    return blockCount() - 1;
}

DeviceIndex TraceBuilder::device(DeviceKind kind, std::int64_t ordinal, std::optional<std::int64_t> process)
{
    std::vector<Device>& devices = m_trace->devices;
    const auto [found, isNew] = m_deviceIndices.try_emplace({kind, ordinal, process}, devices.size());
    if (!isNew)
        return found->second;
    Device device;
    device.kind = kind;
    device.ordinal = ordinal;
    device.process = process;
    devices.push_back(device);
    m_deviceRows.emplace_back();
    return devices.size() - 1;
}

void TraceBuilder::assignEvents(DeviceIndex device, std::vector<RowRange> rows)
{
    std::erase_if(rows, [](const RowRange& range) { return range.isEmpty(); });
    std::vector<RowRange>& assigned = m_deviceRows[device];
    assigned.insert(assigned.end(), rows.begin(), rows.end());
}

void TraceBuilder::addBlockFromBeforeRecording(
    DeviceIndex device, Bytes bytes, StringId category, std::string_view frame)
{
    Block block;
    block.size = bytes;
    block.requestedSize = bytes;
    block.state = BlockState::Active;
    block.category = category;
    if (!frame.empty())
        block.stack = stacks().internNode(
            stacks().internFrame({strings().intern(frame), strings().intern(""), 0, FrameKind::Native, {}}),
            StackTable::kEmpty);
    m_olderBlocks.emplace_back(device, addBlock(block));
}

std::size_t TraceBuilder::memoryBytes() const
{
    return m_trace->events.memoryBytes() + m_trace->segments.blocks.memoryBytes()
        + m_trace->strings.memoryBytes() + m_trace->stacks.memoryBytes()
        + m_trace->segments.segments.memoryBytes() + m_marks.size() * sizeof(AnnotationMark)
        + m_trace->pools.size() * sizeof(PoolKey) + m_trace->streams.size() * 40;
}

void TraceBuilder::orderDevices()
{
    std::vector<DeviceIndex> order(m_trace->devices.size());
    std::iota(order.begin(), order.end(), DeviceIndex{0});
    std::ranges::stable_sort(order, [this](DeviceIndex a, DeviceIndex b) {
        const Device& left = m_trace->devices[a];
        const Device& right = m_trace->devices[b];
        return std::tie(left.kind, left.ordinal, left.process)
            < std::tie(right.kind, right.ordinal, right.process);
    });
    std::vector<Device> devices;
    std::vector<std::vector<RowRange>> rows;
    std::vector<DeviceIndex> newIndex(order.size());
    for (DeviceIndex old : order) {
        newIndex[old] = devices.size();
        devices.push_back(std::move(m_trace->devices[old]));
        rows.push_back(std::move(m_deviceRows[old]));
    }
    m_trace->devices = std::move(devices);
    m_deviceRows = std::move(rows);
    for (DeviceIndex& device : m_segmentDevices)
        device = newIndex[device];
    for (auto& [device, block] : m_olderBlocks)
        device = newIndex[device];
}

void TraceBuilder::orderEvents()
{
    std::vector<Device>& devices = m_trace->devices;
    if (isInDeviceOrder(m_deviceRows)) {
        for (DeviceIndex i = 0; i < devices.size(); ++i)
            devices[i].events = m_deviceRows[i].empty() ? RowRange{} : m_deviceRows[i][0];
        return;
    }
    MemoryEventTable ordered;
    for (DeviceIndex i = 0; i < devices.size(); ++i) {
        devices[i].events.first = static_cast<std::uint32_t>(ordered.rows());
        for (const RowRange& rows : m_deviceRows[i])
            append(ordered, m_trace->events, rows);
        devices[i].events.last = static_cast<std::uint32_t>(ordered.rows());
    }
    m_trace->events = std::move(ordered);
}

/// Sorts the segments by device. Of devices whose events are incomplete, only the end state is kept.
/// Nothing is moved if the segments are in order and all are kept, as in most files.
void TraceBuilder::orderSegments()
{
    std::vector<Device>& devices = m_trace->devices;
    SegmentRows& segments = m_trace->segments.segments;
    const auto isLeftOut = [&](DeviceIndex device) { return devices[device].eventsRead == Extent::Part; };
    if (!std::ranges::is_sorted(m_segmentDevices) || std::ranges::any_of(m_segmentDevices, isLeftOut)) {
        std::vector<std::uint32_t> order(segments.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return m_segmentDevices[row]; });
        SegmentRows kept;
        std::vector<DeviceIndex> keptDevices;
        for (const std::uint32_t row : order) {
            const DeviceIndex device = m_segmentDevices[row];
            if (!isLeftOut(device)) {
                kept.push_back(segments[row]);
                keptDevices.push_back(device);
                continue;
            }
            std::optional<EndState>& end = devices[device].endState;
            addToEndState(
                end ? *end : end.emplace(), segments[row], m_trace->segments.blocksOf(segments[row]));
        }
        segments = std::move(kept);
        m_segmentDevices = std::move(keptDevices);
    }
    for (std::uint32_t row = 0; row < segments.size(); ++row) {
        RowRange& range = devices[m_segmentDevices[row]].segments;
        if (range.isEmpty())
            range.first = row;
        range.last = row + 1;
    }
}

void TraceBuilder::pairDevice(DeviceIndex device)
{
    Device& target = m_trace->devices[device];
    PairingResult paired = pairEvents(*m_trace, device);
    if (!target.hasFinalSegments || target.segmentsRead != Extent::Whole)
        paired.faults.liveButNotInSegments = 0;
    m_trace->pairings.push_back(std::move(paired.pairing));
    logPairingFaults(m_trace->log, target, paired.faults);
    const bool isCut = target.eventsRead == Extent::Part || target.segmentsRead == Extent::None;
    if (isCut && !target.events.isEmpty())
        deriveReserved(*m_trace, device);
}

void TraceBuilder::addSpansOfMarks()
{
    std::vector<Span> marked = spansFromMarks({m_marks.begin(), m_marks.end()}, m_trace->strings);
    m_marks = {};
    if (m_trace->spans.empty())
        m_trace->spans = std::move(marked);
    else
        m_trace->spans.insert(m_trace->spans.end(), marked.begin(), marked.end());
}

/// Marks what a file that is cut off lacks, after the events are paired as far as they go.
void TraceBuilder::describeCut()
{
    m_trace->metadata.cutOff = true;
    for (Device& device : m_trace->devices)
        if (!device.hasFinalSegments) {
            device.eventsRead = device.events.isEmpty() ? Extent::None : Extent::Part;
            device.segmentsRead = Extent::None;
        }
}

std::shared_ptr<const Trace> TraceBuilder::finish()
{
    m_trace->stacks.forgetLookup();
    orderDevices();
    orderEvents();
    orderSegments();
    addSpansOfMarks();
    orderSpans(m_trace->spans);
    m_trace->activities.order();
    for (DeviceIndex i = 0; i < m_trace->devices.size(); ++i) {
        m_trace->devices[i].times = timeQuality(m_trace->events, m_trace->devices[i].events);
        pairDevice(i);
    }
    for (const auto& [device, block] : m_olderBlocks)
        m_trace->pairings[device].untouchedBlocks.push_back(block);
    checkTrace(*m_trace, m_trace->log);
    if (m_isCutOff)
        describeCut();
    std::shared_ptr<const Trace> finished = std::move(m_trace);
    *this = TraceBuilder();
    return finished;
}

} // namespace highwater
