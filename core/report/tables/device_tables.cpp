#include "core/report/tables/device_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/composition/composition.h"
#include "core/analysis/composition/step_figures.h"
#include "core/base/hash.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::int64_t kNanosecondsPerMicrosecond = 1000;

/// Makes the texts of stacks, each once.
class StackTexts
{
public:
    explicit StackTexts(const Trace& trace)
        : m_trace(trace)
    {
    }
    const std::string& textOf(StackId stack)
    {
        const auto [found, isNew] = m_slots.try_emplace(stack.value(), m_texts.size());
        if (isNew)
            m_texts.push_back(oneLine(stackText(m_trace, stack)));
        return m_texts[found->second];
    }

private:
    static std::string oneLine(const std::string& lines)
    {
        std::string line;
        for (const char c : lines)
            line += c == '\n' ? std::string("; ") : std::string(1, c);
        return line;
    }

    const Trace& m_trace;
    NumberMap<std::uint32_t, std::size_t> m_slots;
    std::vector<std::string> m_texts;
};

/// Writes the cells that several tables have in common, from ids.
class CommonCells
{
public:
    CommonCells(const DeviceStudy& study, TableCells& writer, const DeviceTableOptions& options)
        : m_study(study)
        , m_writer(writer)
        , m_stacks(study.trace)
        , m_withStacks(options.withStacks)
        , m_withStackIds(options.withStackIds)
    {
        for (std::size_t pool = 0; pool < study.trace.pools.size(); ++pool)
            m_pools.push_back(study.trace.poolLabel(PoolId{pool}));
    }

    /// Writes the time of an event of the device; missing for −1 and for an event without a time.
    void writeTime(std::int64_t event)
    {
        const Nanoseconds time
            = event < 0 ? 0 : m_study.trace.events.time[m_study.trace.row(m_study.device, event)];
        m_writer.number(time == 0 ? std::nullopt : std::optional(time / kNanosecondsPerMicrosecond));
    }
    void writeStream(StreamId stream)
    {
        m_writer.number(
            stream.isNone() ? std::nullopt : std::optional(m_study.trace.streams[stream.index()]));
    }
    void writePool(PoolId pool)
    {
        if (pool.isNone())
            m_writer.missing();
        else
            m_writer.text(m_pools[pool.index()]);
    }
    /// Writes the step that contains the event, and its phase.
    void writeStepAndPhase(std::int64_t event)
    {
        m_writer.number(std::optional<std::int64_t>(m_study.steps.stepOf(event)));
        const Phase phase = m_study.phases.at(event);
        m_writer.textOrMissing(phase == Phase::Unknown ? std::string_view() : toText(phase));
    }
    void writeStack(StackId stack)
    {
        const bool hasFrames = m_study.trace.stacks.hasFrames(stack);
        if (m_withStackIds)
            m_writer.number(hasFrames ? std::optional<std::int64_t>(stack.value()) : std::nullopt);
        if (!m_withStacks)
            return;
        m_writer.textOrMissing(hasFrames ? std::string_view(m_stacks.textOf(stack)) : std::string_view());
    }

private:
    const DeviceStudy& m_study;
    TableCells& m_writer;
    StackTexts m_stacks;
    std::vector<std::string> m_pools;
    bool m_withStacks;
    bool m_withStackIds;
};

/// Writes an address; sequence numbers that replace addresses are omitted, since they are meaningless outside
/// the trace.
void writeAddress(TableCells& writer, const DeviceStudy& study, Address address)
{
    if (study.trace.devices[study.device].addressesRecorded)
        writer.address(address);
    else
        writer.missing();
}

void writeEvents(const DeviceStudy& study, TableCells& writer, const DeviceTableOptions& options)
{
    const Trace& trace = study.trace;
    CommonCells cells(study, writer, options);
    const std::int64_t eventCount = trace.eventCount(study.device);
    const bool tellsReserved = study.about().recordsReserved();
    for (std::int64_t event = 0; event < eventCount && !writer.stopped(); ++event) {
        const std::size_t row = trace.row(study.device, event);
        const Action action = trace.events.action[row];
        writer.number(event);
        writer.text(trace.actionName(action));
        if (action == Action::Oom) {
            writer.missing();
            writer.number(trace.events.size[row]);
            writer.number(trace.events.deviceFreeBytes(row));
        } else {
            writeAddress(writer, study, trace.events.address[row]);
            writer.number(trace.events.size[row]);
            writer.missing();
        }
        writer.number(study.curve.at(event));
        writer.number(tellsReserved ? study.curve.reservedAt(event) : std::nullopt);
        cells.writeTime(event);
        cells.writeStream(trace.events.stream[row]);
        cells.writePool(trace.events.pool.get(row));
        cells.writeStepAndPhase(event);
        cells.writeStack(trace.events.stack[row]);
    }
}

/// Returns the microseconds between two events; nullopt if either has no time.
std::optional<std::int64_t> microsecondsBetween(
    const DeviceStudy& study, std::int64_t begin, std::int64_t end)
{
    const auto& times = study.trace.events.time;
    const Nanoseconds first = times[study.trace.row(study.device, begin)];
    const Nanoseconds last = times[study.trace.row(study.device, end)];
    if (first == 0 || last == 0)
        return std::nullopt;
    return (last - first) / kNanosecondsPerMicrosecond;
}

void writeLifetime(const DeviceStudy& study, AllocationIndex i, TableCells& writer)
{
    const std::int32_t birth = study.allocations.birth(i);
    const std::int32_t death = study.allocations.death(i);
    const bool isWhole = birth >= 0 && death != AllocationTable::kNeverFreed;
    writer.number(isWhole ? std::optional<std::int64_t>(death - birth) : std::nullopt);
    writer.number(isWhole ? microsecondsBetween(study, birth, death) : std::nullopt);
}

void writeAllocations(const DeviceStudy& study, TableCells& writer, const DeviceTableOptions& options)
{
    const AllocationTable& table = study.allocations;
    CommonCells cells(study, writer, options);
    for (AllocationIndex i = 0; i < table.size() && !writer.stopped(); ++i) {
        if (!options.matches.empty() && !options.matches[i])
            continue;
        const std::int32_t death = table.death(i);
        const Bytes block = table.blockBytes(i);
        writer.number(table.birth(i));
        writer.number(
            death == AllocationTable::kNeverFreed ? std::nullopt : std::optional<std::int64_t>(death));
        writeAddress(writer, study, table.address(i));
        writer.number(table.bytes(i));
        writer.number(block < 0 ? std::nullopt : std::optional<std::int64_t>(block));
        writeLifetime(study, i, writer);
        cells.writeStream(table.stream(i));
        cells.writePool(table.pool(i));
        writer.text(toText(study.categories.of(i)));
        writer.text(toText(study.categories.gradeOf(i)));
        writer.text(toText(study.categories.reasonOf(i)));
        writer.text(study.sites.site(study.sites.of(i)).key);
        cells.writeStepAndPhase(table.birth(i));
        cells.writeStack(table.stack(i));
    }
}

/// Writes the totals before the first event (row −1) and after each event, and the values of the auxiliary
/// files at the time of the event.
void writeCurve(const DeviceStudy& study, TableCells& writer, const DeviceTableOptions& options)
{
    const EventScale scale(study.trace, study.device, AxisKind::Time);
    CommonCells cells(study, writer, {});
    const std::vector<UsageCurve::ReservedChange>& reserved = study.curve.reservedChanges();
    const bool tellsReserved = study.trace.devices[study.device].recordsReserved();
    std::size_t next = 0;
    Bytes reservedBytes = 0;
    for (std::int64_t event = -1; event < study.curve.eventCount() && !writer.stopped(); ++event) {
        for (; next < reserved.size() && reserved[next].event <= event; ++next)
            reservedBytes = reserved[next].bytes;
        writer.number(event);
        cells.writeTime(event);
        writer.number(study.curve.at(event));
        writer.number(tellsReserved ? std::optional(reservedBytes) : std::nullopt);
        const double position = event < 0 ? -1 : scale.positionOf(event);
        for (const AuxiliaryLine& line : options.auxiliaryFiles)
            writer.number(line.at(scale.origin() + static_cast<Nanoseconds>(position)));
    }
}

void writeSteps(const DeviceStudy& study, TableCells& writer, const DeviceTableOptions&)
{
    CommonCells cells(study, writer, {});
    const std::vector<CategoryBytes> atPeaks
        = categoriesAtPeaks(study.allocations, study.categories, study.steps.steps);
    for (std::size_t i = 0; i < atPeaks.size() && !writer.stopped(); ++i) {
        const Step& step = study.steps.steps[i];
        writer.number(static_cast<std::int64_t>(i));
        writer.text(sanitizedText(step.name));
        writer.text(toText(step.source));
        writer.text(toText(step.grade));
        writer.boolean(step.isComplete);
        writer.number(step.begin);
        writer.number(step.end);
        cells.writeTime(step.begin < step.end ? step.begin : -1);
        cells.writeTime(step.end - 1);
        writer.number(step.startBytes);
        writer.number(step.peakBytes);
        writer.number(step.peakEvent);
        writer.number(step.endBytes);
        writer.number(step.retainedBytes());
        writer.number(step.leftBehindBytes);
        writer.text(toText(step.peakPhase));
        for (const Bytes bytes : atPeaks[i])
            writer.number(bytes);
    }
}

/// Returns "requested_bytes", with the quantity of the device.
std::string totalColumn(const Device& device)
{
    return fmt::format("{}_bytes", toText(device.quantity));
}

/// Adds the columns for stacks that the options ask for.
std::vector<std::string> withStacks(std::vector<std::string> columns, const DeviceTableOptions& options)
{
    if (options.withStackIds)
        columns.emplace_back("stack_id");
    if (options.withStacks)
        columns.emplace_back("stack");
    return columns;
}

/// The totals are those right after the event.
std::vector<std::string> eventColumns(const Device& device, const DeviceTableOptions& options)
{
    return withStacks({"event", "action", "address", "size_bytes", "device_free_bytes",
                          fmt::format("{}_total_bytes", toText(device.quantity)), "reserved_total_bytes",
                          "time_us", "stream", "pool", "step", "phase"},
        options);
}

std::vector<std::string> allocationColumns(const Device& device, const DeviceTableOptions& options)
{
    return withStacks(
        {"alloc_event", "free_event", "address", totalColumn(device), "block_bytes", "lifetime_events",
            "lifetime_us", "stream", "pool", "category", "grade", "reason", "site", "step", "phase"},
        options);
}

std::vector<std::string> curveColumns(const Device& device, const DeviceTableOptions& options)
{
    std::vector<std::string> columns = {"event", "time_us", totalColumn(device), "reserved_bytes"};
    for (const AuxiliaryLine& line : options.auxiliaryFiles)
        columns.push_back(sanitizedText(line.title));
    return columns;
}

std::vector<std::string> stepColumns(const Device&, const DeviceTableOptions&)
{
    std::vector<std::string> columns = {"index", "name", "source", "grade", "complete", "begin_event",
        "end_event", "begin_us", "end_us", "start_bytes", "peak_bytes", "peak_event", "end_bytes",
        "retained_bytes", "left_behind_bytes", "phase"};
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        columns.push_back(fmt::format("peak_{}_bytes", toText(static_cast<Category>(i))));
    return columns;
}

constexpr DeviceTable kTables[] = {
    {"events", "every event in order, with the totals after it", eventColumns, writeEvents},
    {"allocations", "one row each", allocationColumns, writeAllocations, true},
    {"curve", "totals after each event", curveColumns, writeCurve, false, true},
    {"steps", "each step's peak by category", stepColumns, writeSteps},
};

} // namespace

std::span<const DeviceTable> deviceTables()
{
    return kTables;
}

const DeviceTable& deviceTableNamed(std::string_view name)
{
    return *std::ranges::find(kTables, name, &DeviceTable::name);
}

} // namespace highwater
