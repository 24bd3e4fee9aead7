#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/string_pool.h"
#include "core/base/units.h"
#include "core/trace/activity_table.h"
#include "core/trace/counter_series.h"
#include "core/trace/import_log.h"
#include "core/trace/log_event.h"
#include "core/trace/memory_event.h"
#include "core/trace/quantity.h"
#include "core/trace/segment_table.h"
#include "core/trace/stack_table.h"

/// The event model: the content of one imported file as tables. Events, blocks, segments and stacks are
/// rows that refer to each other by index. TraceBuilder fills the tables; afterwards a trace is read-only
/// and can be shared between threads.
namespace highwater {

/// The kind of memory: of a GPU or another accelerator, of the CPU, or pinned host memory.
enum class DeviceKind : std::uint8_t
{
    Cuda,
    Cpu,
    Hip,
    Xpu,
    Mps,
    Mtia,
    HostPinned,
    Other
};

/// Returns "cuda", "cpu", …, "host".
std::string_view toText(DeviceKind kind);

/// The quality of the times of a device's events.
enum class TimeQuality : std::uint8_t
{
    None, ///< No event has a time
    Ordered, ///< Every event has a time, and times never decrease
    Irregular, ///< Some times are missing or decrease
};

/// Index into `Trace::devices`.
using DeviceIndex = std::size_t;

/// A total that the file reports. It is valid from right after event `event` of the device; −1 means from
/// the start.
struct ReportedTotal
{
    std::int64_t event = 0;
    Bytes bytes = 0;
    bool operator==(const ReportedTotal&) const = default;
};

/// A failed request that has no event of its own. It failed right after event `event` of the device; 0 also
/// stands for a failure before the first event.
struct OutOfMemory
{
    std::int64_t event = 0;
    Bytes requestedBytes = 0;
    bool operator==(const OutOfMemory&) const = default;
};

/// How much of a list could be read from a truncated file.
enum class Extent : std::uint8_t
{
    Whole,
    Part, ///< Only the first entries
    None,
};

/// Returns "whole", "part", "none".
std::string_view toText(Extent extent);

/// Totals of the segments at the time of the snapshot.
struct EndState
{
    std::int64_t segmentCount = 0;
    std::int64_t blockCount = 0;
    std::int64_t liveBlockCount = 0;
    Bytes liveBytes = 0; ///< Bytes requested
    Bytes liveBlockBytes = 0; ///< Bytes that the live blocks occupy
    Bytes reservedBytes = 0;
    bool operator==(const EndState&) const = default;
};

/// A device whose memory the file records, and what the file has about it. Its events and segments are
/// ranges of rows of the trace's tables.
struct Device
{
    static constexpr std::int64_t kNoOrdinal = -1; ///< Ordinal of pinned host memory, which belongs to no GPU

    DeviceKind kind = DeviceKind::Cuda;
    std::int64_t ordinal = 0;
    /// Operating system's id of the process that owns the memory, if several processes use the same ordinal,
    /// possibly for different GPUs.
    std::optional<std::int64_t> process;
    std::string name; ///< Model of the GPU; empty if unknown
    std::optional<Bytes> capacity; ///< The device's whole memory, if the file states it
    Quantity quantity = Quantity::Requested; ///< Quantity counted by the sizes of block events
    /// True if the file ends with a list of the memory in use, as snapshots do; other traces contain only
    /// events.
    bool hasFinalSegments = true;
    /// Both `eventsRead` and `segmentsRead` are Whole unless the file is truncated.
    Extent eventsRead = Extent::Whole;
    Extent segmentsRead = Extent::Whole;
    /// Set only if `eventsRead` is Part and there are segments. Events are missing between the last event
    /// and this state, so nothing is derived from it and `segments` is empty.
    std::optional<EndState> endState;
    /// False if the file has no addresses; sequence numbers replace them.
    bool addressesRecorded = true;
    TimeQuality times = TimeQuality::None;
    RowRange events; ///< Rows of `Trace::events`, in file order
    RowRange segments; ///< Rows of `Trace::segments.segments`
    /// The reserved bytes from each change on, if they cannot be derived from the segments at the end.
    std::vector<ReportedTotal> reserved;
    std::vector<OutOfMemory> outOfMemory; ///< Sorted by event; empty if the device has no events

    /// Returns "cuda:0", "cuda:0 · pid 22671", "host".
    std::string label() const;
    /// Returns `deviceWords` of the label.
    std::string words() const;
    /// True if the file records how much the allocator reserved.
    bool recordsReserved() const { return hasFinalSegments || !reserved.empty(); }
    /// True if the segments at every event can be derived from those at the end.
    bool canDeriveSegments() const { return hasFinalSegments && segmentsRead == Extent::Whole; }
};

/// Returns the label of a device for people: "GPU 0" for "cuda:0"; others unchanged.
std::string deviceWords(const std::string& label);

/// The partner of each event of a device: for an alloc the event that ends its allocation, for a free the
/// event that began it. Events are numbered within the device. An allocation is identified by its alloc
/// event, never by its address, which is reused.
struct EventPairing
{
    static constexpr std::int32_t kNone = -1; ///< An alloc that is live at the end, or neither alloc nor free
    static constexpr std::int32_t kBeforeTrace = -2; ///< For a free: allocated before recording began
    static constexpr std::int32_t kUnknown = -3; ///< For a free: no block was live at its address; ignored

    PackedColumn<std::int32_t> partner;
    /// Live blocks of the snapshot that no event of the trace touches, as rows of `SegmentTable::blocks`.
    std::vector<std::uint32_t> untouchedBlocks;
};

/// The kind of a range recorded by the program or the recorder.
enum class SpanKind : std::uint8_t
{
    Annotation,
    ProfilerStep,
    Operator, ///< Call of an operator; kept only in traces without memory events
};

/// A named range of time in the trace. Spans may nest; those of several threads may overlap.
struct Span
{
    /// The span belongs to the process rather than one device.
    static constexpr std::int64_t kAllDevices = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kAnyProcess = -1;

    SpanKind kind = SpanKind::Annotation;
    StringId name;
    std::int64_t deviceOrdinal = 0; ///< Current device of the writing thread, or kAllDevices
    std::int64_t process = kAnyProcess; ///< Process that wrote it, if the trace has several
    Nanoseconds begin = 0;
    Nanoseconds end = 0; ///< End of the trace if `endMissing`
    bool beginMissing = false; ///< Began before the recording
    bool endMissing = false; ///< Not ended when the recording stopped
    std::uint16_t depth = 0; ///< 0 for outermost spans

    bool isOf(const Device& device) const
    {
        return (deviceOrdinal == device.ordinal || deviceOrdinal == kAllDevices)
            && (process == kAnyProcess || process == device.process.value_or(process));
    }
};

/// Key of a memory pool as PyTorch writes it: graph capture sets the first number, the user the second.
struct PoolKey
{
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    bool isDefault() const { return first == 0 && second == 0; }
    bool operator==(const PoolKey&) const = default;
};

using NamedText = std::pair<std::string, std::string>; ///< Name, text

/// The moment from which a trace's times count.
enum class Clock : std::uint8_t
{
    Unix, ///< Unix epoch: comparable between traces
    Local, ///< Local time since the Unix epoch; the time zone is unknown
    Own, ///< A moment that the file does not state
};

/// Returns "unix", "local", "own".
std::string_view toText(Clock clock);

/// The kind of file that a trace was read from.
enum class TraceKind : std::uint8_t
{
    Unknown, ///< Not read from a file
    Snapshot,
    KinetoTrace,
    MemoryTimeline,
    NsysExport,
    CuptiText,
    TrainerLog, ///< Any text
    MemoryStats,
    NvidiaSmi,
    WandbRun,
    TensorBoardEvents,
    RankSummary,
    Native, ///< Highwater's own compact form
};

/// Returns the name of the format in `highwater info`: "pytorch-snapshot", "trainer-log",
/// "highwater-summary", …; empty for Unknown.
std::string_view toText(TraceKind kind);
/// Returns the format in words for people: "PyTorch snapshot", "log", …; empty for Unknown.
std::string_view inWords(TraceKind kind);

/// Facts about the file as a whole.
struct TraceMetadata
{
    TraceKind kind = TraceKind::Unknown; ///< Set by the importer, independent of the file's name
    /// Facts about how the file was made, each as name and text: what the file states of the program and
    /// machine that wrote it ("schemaVersion", "rank", "device_name"), and what its content shows ("form",
    /// "rehearsed", "cut").
    std::vector<NamedText> producer;
    std::vector<NamedText> settings; ///< Allocator settings, flattened: "roundup_power2_divisions.1" → "0"
    /// Top-level entries that the importer did not interpret, as JSON text; in a trace from a summary, the
    /// facts that fit no table.
    std::vector<NamedText> unknownEntries;
    bool hasHistory = true; ///< False if no events were recorded, or only one by accident
    /// Number of operator calls in the file, which are visible as frames of stacks or as spans.
    std::int64_t operatorCount = 0;
    std::vector<ConfigurationEntry> configuration; ///< Configuration of the run, from a log or its files
    Clock clock = Clock::Unix;
    bool startLost = false; ///< The history buffer (`max_entries`) overflowed: the earliest events are gone
    bool cutOff = false; ///< The file ends early, or is unreadable from some byte on; never set for a log

    /// Returns the text of an allocator setting; null if the file does not contain it.
    const std::string* setting(std::string_view name) const
    {
        const auto found = std::ranges::find(settings, name, &NamedText::first);
        return found == settings.end() ? nullptr : &found->second;
    }
};

/// Classifies the times of these rows; None for no rows. O(rows).
TimeQuality timeQuality(const MemoryEventTable& events, RowRange rows);

/// All tables of one imported file. Strings, stacks, streams and pools are stored once and referred to by
/// id. Row and id lookups are O(1).
struct Trace
{
    TraceMetadata metadata;
    StringPool strings;
    StackTable stacks;
    std::vector<Device> devices;
    MemoryEventTable events;
    std::vector<EventPairing> pairings; ///< One per device
    SegmentTable segments;
    std::vector<std::int64_t> streams; ///< Handle of each StreamId, as in the file
    StreamId defaultStream; ///< The stream with handle 0; none if there is no such stream
    std::vector<PoolKey> pools; ///< Key of each PoolId
    std::vector<Span> spans; ///< Sorted by begin, outer before inner
    ActivityTable activities; ///< Sorted by begin; filled only on request
    std::vector<CounterSeries> counters;
    std::vector<LogEvent> logEvents;
    std::vector<std::string> unknownActions; ///< Names of the actions from Action::FirstUnknown on
    ImportLog log;

    std::string_view text(StringId id) const { return strings.view(id); }
    std::string_view actionName(Action action) const;
    std::int64_t eventCount(DeviceIndex device) const { return devices[device].events.size(); }
    /// Returns the row of a device's event; `event` counts from 0 within the device.
    std::size_t row(DeviceIndex device, std::int64_t event) const
    {
        return devices[device].events.first + static_cast<std::size_t>(event);
    }
    bool hasTimes(DeviceIndex device) const { return devices[device].times != TimeQuality::None; }
    /// Returns "stream 0", "stream 7", "stream not recorded"; handles that are pointers are numbered in order
    /// of appearance: "stream 2 (0x7f12…)". Stream 0 is the default stream.
    std::string streamLabel(StreamId stream) const;
    /// Returns "default pool", "private pool (0, 1)", "pool not recorded".
    std::string poolLabel(PoolId pool) const;
    /// True if the pool is known not to be the default pool.
    bool isPrivate(PoolId pool) const { return !pool.isNone() && !pools[pool.index()].isDefault(); }
    SegmentRange segmentsOf(DeviceIndex device) const { return segments.rows(devices[device].segments); }
};

} // namespace highwater
