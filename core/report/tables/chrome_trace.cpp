#include "core/report/tables/chrome_trace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/steps/lanes.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater {

namespace {

/// Track groups ("processes") of the trace.
constexpr int kMemoryGroup = 1;
constexpr int kHostGroup = 2;
constexpr int kFirstGpuGroup = 10;

/// Tracks of the memory group. Annotations have one track per depth, from FirstAnnotationTrack on.
enum Track
{
    StepTrack = 1,
    PhaseTrack,
    OutOfMemoryTrack,
    FirstAnnotationTrack,
};

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

class ChromeTraceWriter
{
public:
    ChromeTraceWriter(const DeviceStudy& study, const ChromeTraceOptions& options, const TextSink& sink)
        : m_study(study)
        , m_options(options)
        , m_sink(sink)
        , m_hasTimes(study.trace.hasTimes(study.device))
        , m_scale(study.trace, study.device, m_hasTimes ? AxisKind::Time : AxisKind::Event)
        , m_annotations(annotationLane(study.trace, study.device, true))
        , m_begin(m_scale.begin())
    {
        findBegin();
    }

    bool write()
    {
        writeBegin();
        nameTracks();
        writeSteps();
        writePhases();
        writeAnnotations();
        writeOutOfMemory();
        writeTotals();
        writeCategories();
        writeReserved();
        for (const AuxiliaryLine& line : m_options.auxiliaryFiles)
            writeAuxiliary(line);
        writeActivities();
        m_buffer += "\n]}\n";
        flush();
        return m_isSinkGood;
    }

private:
    /// Places the origin at the first of all items: Perfetto drops items with a negative time.
    void findBegin()
    {
        const auto include = [this](double x) { m_begin = std::min(m_begin, x); };
        for (const AuxiliaryLine& line : m_options.auxiliaryFiles)
            for (const AuxiliaryPoint& point : line.points)
                include(positionOf(point, m_scale));
        if (!m_hasTimes)
            return;
        for (const LaneItem& item : m_annotations.items)
            include(positionOfTime(item.begin));
        for (std::size_t i = 0; i < m_study.trace.activities.rows(); ++i)
            include(positionOfTime(m_study.trace.activities.row(i).begin));
    }

    void writeBegin()
    {
        m_buffer = fmt::format(
            R"({{"displayTimeUnit": "ms", "otherData": {{"producer": "Highwater", "device": {}, )"
            R"("quantity": "{}", )",
            jsonString(m_study.about().label()), toText(m_study.allocations.quantity()));
        m_buffer += m_hasTimes
            ? fmt::format(R"("baseTimeNanoseconds": "{}", "clock": "{}"}},)",
                m_scale.origin() + static_cast<Nanoseconds>(m_begin), toText(m_study.trace.metadata.clock))
            : std::string(R"("note": "the file has no times: an event takes one microsecond"},)");
        m_buffer += "\n\"traceEvents\": [";
    }

    /// Returns a length on the axis as microseconds with three decimals.
    std::string length(double x) const
    {
        const auto nanoseconds = static_cast<std::int64_t>(std::max(0.0, m_hasTimes ? x : x * 1000));
        return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
    }
    /// Returns the time of a position, counted from the first item.
    std::string timeText(double x) const { return length(x - m_begin); }
    std::string eventTimeText(std::int64_t event) const
    {
        if (event >= m_scale.eventCount())
            return timeText(m_scale.end());
        return timeText(event < 0 ? m_scale.begin() : m_scale.positionOf(event));
    }
    /// Returns the position of a time on the axis.
    double positionOfTime(Nanoseconds time) const { return static_cast<double>(time - m_scale.origin()); }

    /// Writes one entry of `traceEvents`.
    template <typename... Values>
    void item(fmt::format_string<Values...> text, Values&&... values)
    {
        m_buffer += m_hasItems ? ",\n" : "\n";
        m_hasItems = true;
        fmt::format_to(std::back_inserter(m_buffer), text, std::forward<Values>(values)...);
        if (m_buffer.size() >= kPieceBytes)
            flush();
    }

    void flush()
    {
        m_isSinkGood = m_isSinkGood && m_sink(m_buffer);
        m_buffer.clear();
    }

    void nameGroup(int group, std::string_view name)
    {
        item(R"({{"ph": "M", "pid": {}, "name": "process_name", "args": {{"name": {}}}}})", group,
            jsonString(name));
    }
    void nameTrack(int group, std::int64_t track, std::string_view name)
    {
        item(R"({{"ph": "M", "pid": {}, "tid": {}, "name": "thread_name", "args": {{"name": {}}}}})", group,
            track, jsonString(name));
    }

    void nameTracks()
    {
        nameGroup(kMemoryGroup, m_study.about().label() + " · " + m_options.title);
        nameTrack(kMemoryGroup, StepTrack, "steps");
        nameTrack(kMemoryGroup, PhaseTrack, "phases");
        nameTrack(kMemoryGroup, OutOfMemoryTrack, "out of memory");
    }

    void slice(int group, std::int64_t track, std::string_view name, double begin, double end,
        std::string_view arguments)
    {
        item(R"({{"ph": "X", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "name": {}, "args": {{{}}}}})", group,
            track, timeText(begin), length(end - begin), jsonString(name), arguments);
    }

    double positionOfEvent(std::int64_t event) const
    {
        return event >= m_scale.eventCount() ? m_scale.end() : m_scale.positionOf(event);
    }

    void writeSteps()
    {
        for (const Step& step : m_study.steps.steps)
            slice(kMemoryGroup, StepTrack, step.name, positionOfEvent(step.begin), positionOfEvent(step.end),
                fmt::format(
                    R"("begin_event": {}, "end_event": {}, "start_bytes": {}, "peak_bytes": {}, "peak_event": {}, )"
                    R"("end_bytes": {})",
                    step.begin, step.end, step.startBytes, step.peakBytes, step.peakEvent, step.endBytes));
    }

    void writePhases()
    {
        for (const PhaseRange& range : phasesWithinSteps(m_study.phases, m_study.steps))
            if (range.phase != Phase::Unknown)
                slice(kMemoryGroup, PhaseTrack, toText(range.phase), positionOfEvent(range.begin),
                    positionOfEvent(range.end), "");
    }

    void writeAnnotations()
    {
        for (int row = 0; row < m_annotations.rows; ++row)
            nameTrack(
                kMemoryGroup, FirstAnnotationTrack + row, row == 0 ? "annotations" : "annotations, nested");
        for (const LaneItem& item : m_annotations.items)
            slice(kMemoryGroup, FirstAnnotationTrack + item.row, item.label, positionOfTime(item.begin),
                positionOfTime(item.end), "");
    }

    void writeOutOfMemory()
    {
        for (const OomEvent& oom : m_study.figures.ooms)
            item(
                R"({{"ph": "i", "s": "p", "pid": {}, "tid": {}, "ts": {}, "name": "out of memory", "args": {{"event": {}, )"
                R"("requested_bytes": {}}}}})",
                kMemoryGroup, static_cast<int>(OutOfMemoryTrack), eventTimeText(oom.event), oom.event,
                oom.requestedBytes);
    }

    void counter(std::string_view name, const std::string& time, Bytes bytes)
    {
        item(R"({{"ph": "C", "pid": {}, "ts": {}, "name": {}, "args": {{"bytes": {}}}}})", kMemoryGroup, time,
            name, bytes);
    }

    /// Writes a counter at every change, and once at the end, so that the track is as long as the events.
    template <typename BytesAt>
    void writeChanges(std::string_view title, BytesAt bytesAt)
    {
        const std::string name = jsonString(title);
        const std::int64_t count = m_study.curve.eventCount();
        std::optional<Bytes> last;
        for (std::int64_t event = -1; event < count; ++event) {
            const std::optional<Bytes> bytes = bytesAt(event);
            if (bytes && (last != bytes || event + 1 == count))
                counter(name, eventTimeText(event), *bytes);
            last = bytes;
        }
    }

    void writeTotals()
    {
        writeChanges(std::string(toText(m_study.allocations.quantity())) + " bytes",
            [this](std::int64_t event) { return m_study.curve.at(event); });
    }

    /// Writes one counter per category that occurs; an event writes only the counter of the category it
    /// changes.
    void writeCategories()
    {
        const AllocationTable& allocations = m_study.allocations;
        CategoryBytes level{};
        std::array<std::string, kCategoryCount> names;
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            names[i] = jsonString(fmt::format("category: {}", titleOf(static_cast<Category>(i))));
        const auto change = [&](AllocationIndex allocation, Bytes bytes) {
            const auto category = static_cast<std::size_t>(m_study.categories.of(allocation));
            level[category] += bytes;
            return category;
        };
        for (AllocationIndex i = 0; i < allocations.olderCount(); ++i)
            change(i, allocations.bytes(i));
        for (std::size_t category = 0; category < kCategoryCount; ++category)
            if (level[category] > 0)
                counter(names[category], eventTimeText(-1), level[category]);
        for (std::int64_t event = 0; event < m_study.curve.eventCount(); ++event) {
            const AllocationIndex i = allocations.ofEvent(event);
            if (i == AllocationTable::kNoAllocation)
                continue;
            const bool isBirthEvent = allocations.birth(i) == event;
            if (!isBirthEvent && allocations.death(i) != event)
                continue;
            const std::size_t category
                = change(i, isBirthEvent ? allocations.bytes(i) : -allocations.bytes(i));
            counter(names[category], eventTimeText(event), level[category]);
        }
    }

    void writeReserved()
    {
        if (m_study.curve.reservedPeak() > 0)
            writeChanges(
                "reserved bytes", [this](std::int64_t event) { return m_study.curve.reservedAt(event); });
    }

    void writeAuxiliary(const AuxiliaryLine& line)
    {
        const std::string name = jsonString(line.title);
        for (const AuxiliaryPoint& point : line.points)
            counter(name, timeText(positionOf(point, m_scale)), point.bytes);
    }

    /// Returns the group of an activity. Names the group and the lane when they are new.
    int groupOf(const Activity& activity)
    {
        const int group
            = activity.kind == ActivityKind::RuntimeCall ? kHostGroup : kFirstGpuGroup + activity.device;
        if (m_namedGroups.insert(group).second)
            nameGroup(group,
                group == kHostGroup ? std::string("runtime calls") : fmt::format("GPU {}", activity.device));
        if (m_namedLanes.emplace(group, activity.lane).second)
            nameTrack(group, activity.lane,
                fmt::format("{} {}", group == kHostGroup ? "thread" : "stream", activity.lane));
        return group;
    }

    void writeActivities()
    {
        for (std::size_t i = 0; m_hasTimes && i < m_study.trace.activities.rows(); ++i) {
            const Activity activity = m_study.trace.activities.row(i);
            slice(groupOf(activity), activity.lane, m_study.trace.text(activity.name),
                positionOfTime(activity.begin), positionOfTime(activity.end),
                activity.bytes > 0 ? fmt::format(R"("bytes": {})", activity.bytes) : "");
        }
    }

    const DeviceStudy& m_study;
    const ChromeTraceOptions& m_options;
    const TextSink& m_sink;
    bool m_hasTimes;
    EventScale m_scale;
    Lane m_annotations;
    double m_begin; ///< position of the trace's time 0
    std::string m_buffer;
    std::set<int> m_namedGroups;
    std::set<std::pair<int, std::int64_t>> m_namedLanes;
    bool m_hasItems = false;
    bool m_isSinkGood = true;
};

} // namespace

bool writeChromeTrace(const DeviceStudy& study, const ChromeTraceOptions& options, const TextSink& sink)
{
    return ChromeTraceWriter(study, options, sink).write();
}

} // namespace highwater
