#include "core/analysis/logs/auxiliary_lines.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// Converts times to positions among the events of a device, as in `AuxiliaryPoint::event`.
class EventPositions
{
public:
    EventPositions(const Trace& trace, DeviceIndex device)
        : m_scale(trace, device, AxisKind::Time)
    {
    }

    double positionOfTime(Nanoseconds time) const
    {
        const double x = static_cast<double>(time - m_scale.origin());
        const std::int64_t event = m_scale.eventAt(x);
        const std::int64_t count = m_scale.eventCount();
        if (event < 0 || count == 0)
            return -1;
        if (event + 1 >= count)
            return x > m_scale.positionOf(count - 1) ? static_cast<double>(count)
                                                     : static_cast<double>(event);
        const double begin = m_scale.positionOf(event);
        const double length = m_scale.positionOf(event + 1) - begin;
        return static_cast<double>(event) + (length > 0 ? std::clamp((x - begin) / length, 0.0, 1.0) : 0.0);
    }

private:
    EventScale m_scale;
};

class LineBuilder
{
public:
    LineBuilder(const EventPositions& positions, Nanoseconds offset, AuxiliaryLine& line)
        : m_positions(positions)
        , m_offset(offset)
        , m_line(line)
    {
    }

    /// Adds a point unless its value equals the previous one. Times must ascend.
    void add(Nanoseconds time, Bytes bytes)
    {
        if (!m_line.points.empty() && m_line.points.back().bytes == bytes)
            return;
        const Nanoseconds traceTime = time + m_offset;
        m_line.points.push_back({traceTime, m_positions.positionOfTime(traceTime), bytes});
    }

private:
    const EventPositions& m_positions;
    Nanoseconds m_offset;
    AuxiliaryLine& m_line;
};

/// Finds the highest value that is valid at some event; a value is valid from its point to the next one.
void findPeak(AuxiliaryLine& line, std::int64_t events)
{
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        const bool endsBefore = i + 1 < line.points.size() && line.points[i + 1].event < 0;
        if (!endsBefore && line.points[i].event < static_cast<double>(events))
            line.peakBytes = std::max(line.peakBytes, line.points[i].bytes);
    }
}

/// True if both devices are of one kind and have one number.
bool isOfDevice(const Device& device, const Device& other)
{
    return other.kind == device.kind && other.ordinal == device.ordinal;
}

/// Makes a line from a device of the other trace that counts device-used bytes.
AuxiliaryLine usedLine(const EventPositions& positions, const ClockedTrace& other, DeviceIndex index)
{
    const Device& device = other.trace->devices[index];
    AuxiliaryLine line;
    line.title = fmt::format("device used ({})", other.name);
    line.quantity = Quantity::DeviceUsed;
    LineBuilder builder(positions, other.offset, line);
    const AllocationTable allocations(*other.trace, index);
    const UsageCurve curve(*other.trace, allocations);
    const EventScale scale(*other.trace, index, AxisKind::Time);
    const auto timeOf = [&](std::int64_t event) {
        return scale.origin() + static_cast<Nanoseconds>(scale.positionOf(event));
    };
    if (device.events.size() > 0)
        builder.add(timeOf(0) - 1, curve.at(-1));
    for (std::int64_t event = 0; event < curve.eventCount(); ++event)
        builder.add(timeOf(event), curve.at(event));
    return line;
}

/// Makes a line from a series. The points of a series are in the order of the file; points that go back in
/// time, as after a restart, are skipped.
AuxiliaryLine counterLine(
    const EventPositions& positions, const ClockedTrace& other, const CounterSeries& series)
{
    AuxiliaryLine line;
    line.title = series.rank ? fmt::format("{}, rank {} ({})", series.name, *series.rank, other.name)
                             : fmt::format("{} ({})", series.name, other.name);
    line.quantity = series.quantity;
    line.rank = series.rank;
    LineBuilder builder(positions, other.offset, line);
    Nanoseconds latest = 0;
    for (std::size_t i = 0; i < std::min(series.time.size(), series.value.size()); ++i) {
        if (series.time[i] <= 0 || series.time[i] < latest)
            continue;
        latest = series.time[i];
        builder.add(latest, static_cast<Bytes>(std::clamp(series.value[i], 0.0, 1e18)));
    }
    return line;
}

} // namespace

std::optional<Bytes> AuxiliaryLine::at(Nanoseconds time) const
{
    const auto after = std::ranges::upper_bound(points, time, {}, &AuxiliaryPoint::time);
    return after == points.begin() ? std::nullopt : std::optional(std::prev(after)->bytes);
}

double positionOf(const AuxiliaryPoint& point, const EventScale& scale)
{
    return scale.kind() == AxisKind::Event ? point.event : static_cast<double>(point.time - scale.origin());
}

std::vector<AuxiliaryLine> auxiliaryLines(const Trace& trace, DeviceIndex device, const ClockedTrace& other)
{
    std::vector<AuxiliaryLine> lines;
    if (!trace.hasTimes(device))
        return lines;
    const EventPositions positions(trace, device);
    const Device& about = trace.devices[device];
    for (DeviceIndex i = 0; i < other.trace->devices.size(); ++i) {
        const Device& candidate = other.trace->devices[i];
        if (candidate.quantity == Quantity::DeviceUsed && isOfDevice(about, candidate)
            && other.trace->hasTimes(i))
            lines.push_back(usedLine(positions, other, i));
    }
    for (const CounterSeries& series : other.trace->counters)
        if (series.unit == "bytes" && series.deviceOrdinal.value_or(about.ordinal) == about.ordinal)
            lines.push_back(counterLine(positions, other, series));
    std::erase_if(lines, [](const AuxiliaryLine& line) { return line.points.empty(); });
    for (AuxiliaryLine& line : lines)
        findPeak(line, trace.eventCount(device));
    return lines;
}

bool recordsAllocations(const Trace& trace)
{
    return std::ranges::any_of(
        trace.devices, [](const Device& device) { return device.quantity != Quantity::DeviceUsed; });
}

bool isAuxiliary(const Trace& trace, const Trace& other)
{
    const bool isEmpty
        = other.devices.empty() && other.counters.empty() && other.spans.empty() && other.logEvents.empty();
    return !isEmpty && recordsAllocations(trace) && !recordsAllocations(other);
}

std::optional<Bytes> MemoryLevels::outside() const
{
    return reserved && deviceUsed ? std::optional(*deviceUsed - *reserved) : std::nullopt;
}

MemoryLevels memoryLevelsAt(const UsageCurve& curve, Quantity quantity, std::int64_t event, Nanoseconds time,
    const AuxiliaryLine* used)
{
    MemoryLevels levels;
    levels.event = event;
    levels.quantity = quantity;
    levels.live = curve.at(event);
    if (curve.reservedPeak() > 0)
        levels.reserved = curve.reservedAt(event);
    if (used) {
        levels.deviceUsed = used->at(time);
        levels.deviceUsedSource = used->title;
    }
    return levels;
}

std::string toText(const MemoryLevels& levels)
{
    std::string text
        = fmt::format("{} in use ({} bytes)", formatBytes(levels.live), inWords(levels.quantity));
    if (levels.reserved)
        text += fmt::format("; {} reserved, {} of it cached{}", formatBytes(*levels.reserved),
            formatBytes(*levels.cached()),
            levels.quantity == Quantity::Requested ? " or lost to rounding" : "");
    if (!levels.deviceUsed)
        return text;
    text += fmt::format("; {} {}", formatBytes(*levels.deviceUsed), levels.deviceUsedSource);
    const std::optional<Bytes> outside = levels.outside();
    if (outside && *outside >= 0)
        text += fmt::format(", {} of it outside the allocator (CUDA context, libraries, other processes)",
            formatBytes(*outside));
    else if (outside)
        text += fmt::format(", {} less than reserved; the clocks may differ, or the file lacks allocations",
            formatBytes(-*outside));
    return text;
}

} // namespace highwater
