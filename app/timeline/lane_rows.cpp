#include "app/timeline/lane_rows.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <QCoreApplication>
#include <QStringList>

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/range_text.h"
#include "core/base/text/name_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Lanes", text);
}

/// Returns the names of annotations that only mark the steps, which have a lane of their own. Annotations of
/// one name are steps with a number after that name.
std::set<std::string, std::less<>> namesOfSteps(const StepTable& table)
{
    std::set<std::string, std::less<>> names;
    if (table.source == StepSource::Whole)
        return names;
    for (const Step& step : table.steps) {
        names.insert(step.name);
        if (step.source == StepSource::Ranges)
            names.insert(step.name.substr(0, step.name.rfind(' ')));
    }
    return names;
}

/// Adds the ranges, but for those that are steps, which the lane of steps shows.
void addAnnotations(LaneTable& table, const DeviceAnalysis& analysis, const LaneOptions& choice)
{
    Lane lane
        = annotationLane(*analysis.trace, analysis.device, choice.withInternal, namesOfSteps(analysis.steps));
    table.withInternal = choice.withInternal;
    table.internalCount = lane.hidden;
    const int shown = choice.allRows ? lane.rows : std::min(lane.rows, kUsualAnnotationRows);
    table.hiddenDeeperRows = lane.rows - shown;
    const std::size_t first = table.rows.size();
    for (int row = 0; row < shown; ++row)
        table.rows.push_back({LaneKind::Annotations, row == 0 ? tr("ranges") : QString(), {}});
    for (LaneItem& item : lane.items) {
        if (choice.withInternal && isInternalAnnotation(item.label))
            ++table.internalCount;
        if (item.row < shown)
            table.rows[first + static_cast<std::size_t>(item.row)].items.push_back(std::move(item));
    }
}

/// Returns an item with the times of its events.
LaneItem itemOfEvents(
    const DeviceAnalysis& analysis, std::int64_t first, std::int64_t last, std::string label)
{
    LaneItem item;
    item.firstEvent = first;
    item.lastEvent = last;
    item.begin = analysis.trace->events.time[analysis.trace->row(analysis.device, first)];
    item.end = analysis.trace->events.time[analysis.trace->row(analysis.device, last - 1)];
    item.label = std::move(label);
    return item;
}

void addRow(LaneTable& table, LaneRow row)
{
    if (!row.items.empty())
        table.rows.push_back(std::move(row));
}

/// Adds the steps; no lane if no steps were found.
void addSteps(LaneTable& table, const DeviceAnalysis& analysis)
{
    LaneRow row{LaneKind::Steps, tr("steps"), {}};
    if (analysis.steps.source == StepSource::Whole)
        return;
    for (const Step& step : analysis.steps.steps) {
        if (step.begin == step.end)
            continue;
        const std::string label = step.name + " · " + formatBytes(step.peakBytes);
        row.items.push_back(itemOfEvents(analysis, step.begin, step.end, nameText(label)));
    }
    addRow(table, std::move(row));
}

void addPhases(LaneTable& table, const DeviceAnalysis& analysis)
{
    LaneRow row{LaneKind::Phases, tr("phases"), {}};
    for (const PhaseRange& range : phasesWithinSteps(analysis.phases, analysis.steps))
        if (range.phase != Phase::Unknown)
            row.items.push_back(
                itemOfEvents(analysis, range.begin, range.end, std::string(toText(range.phase))));
    addRow(table, std::move(row));
}

void addFlushes(LaneTable& table, const DeviceAnalysis& analysis)
{
    LaneRow row{LaneKind::CacheFlushes, tr("flushes"), {}};
    for (const CacheFlush& flush : cacheFlushes(*analysis.trace, analysis.device)) {
        const QString label
            = tr("%1, %2 released")
                  .arg(countedText(flush.segmentCount, "segment", "segments"), bytesText(flush.bytes));
        row.items.push_back(itemOfEvents(analysis, flush.firstEvent, flush.lastEvent, label.toStdString()));
    }
    addRow(table, std::move(row));
}

void addOutOfMemory(LaneTable& table, const DeviceAnalysis& analysis)
{
    LaneRow row{LaneKind::OutOfMemory, tr("OOM"), {}};
    for (const OomEvent& oom : analysis.figures.ooms) {
        const QString label = oom.deviceFreeBytes == OomEvent::kUnknown
            ? tr("%1 requested").arg(bytesText(oom.requestedBytes))
            : tr("%1 requested, %2 free on the GPU")
                  .arg(bytesText(oom.requestedBytes), bytesText(oom.deviceFreeBytes));
        row.items.push_back(itemOfEvents(analysis, oom.event, oom.event + 1, label.toStdString()));
    }
    addRow(table, std::move(row));
}

void addActivities(LaneTable& table, const DeviceAnalysis& analysis)
{
    for (NamedLane& lane : activityLanes(*analysis.trace, analysis.device)) {
        const std::size_t first = table.rows.size();
        const int shown = std::min(lane.lane.rows, kMaxActivityRows);
        for (int row = 0; row < shown; ++row)
            table.rows.push_back({LaneKind::Activities, row == 0 ? toQString(lane.name) : QString(), {}});
        for (LaneItem& item : lane.lane.items)
            if (item.row < shown)
                table.rows[first + static_cast<std::size_t>(item.row)].items.push_back(std::move(item));
    }
}

/// Maps items to positions on the axis of an EventScale: by time, or by their events. The scale must outlive
/// this object.
class ItemScale
{
public:
    explicit ItemScale(const EventScale& scale)
        : m_scale(scale)
        , m_byTime(scale.kind() == AxisKind::Time)
    {
    }
    double begin(const LaneItem& item) const { return positionOf(item.begin, item.firstEvent); }
    double end(const LaneItem& item) const { return positionOf(item.end, item.lastEvent); }

private:
    double positionOf(Nanoseconds time, std::int64_t event) const
    {
        if (m_byTime)
            return static_cast<double>(time - m_scale.origin());
        return event < m_scale.eventCount() ? m_scale.positionOf(event) : m_scale.end();
    }

    const EventScale& m_scale;
    bool m_byTime;
};

/// Returns the items [first, beyond) that overlap the area.
std::pair<std::size_t, std::size_t> itemsInView(
    const LaneRow& row, const ItemScale& positions, const PlotArea& area)
{
    const auto& items = row.items;
    const auto first = std::partition_point(
        items.begin(), items.end(), [&](const LaneItem& item) { return positions.end(item) < area.xBegin; });
    const auto beyond = std::partition_point(
        first, items.end(), [&](const LaneItem& item) { return positions.begin(item) < area.xEnd; });
    return {first - items.begin(), beyond - items.begin()};
}

QStringList tipOfItem(LaneKind kind, const LaneItem& item, bool hasTimes)
{
    QStringList lines{kind == LaneKind::OutOfMemory ? tr("out of memory: %1").arg(toQString(item.label))
                                                    : toQString(item.label)};
    QString where = eventRangeText(item.firstEvent, item.lastEvent);
    if (hasTimes && kind != LaneKind::OutOfMemory)
        where = QString::fromStdString(formatDuration(item.end - item.begin)) + QStringLiteral(" · ") + where;
    lines << where;
    if (item.beginMissing)
        lines << tr("Began before recording");
    if (item.endMissing)
        lines << tr("Still running when recording stopped");
    return lines;
}

} // namespace

std::shared_ptr<const LaneTable> laneTable(const DeviceAnalysis& analysis, const LaneOptions& choice)
{
    auto table = std::make_shared<LaneTable>();
    addSteps(*table, analysis);
    addPhases(*table, analysis);
    addAnnotations(*table, analysis, choice);
    addFlushes(*table, analysis);
    addOutOfMemory(*table, analysis);
    addActivities(*table, analysis);
    return table;
}

double leftEdgeOf(const LaneItem& item, const EventScale& scale, const PlotArea& area)
{
    return area.toX(ItemScale(scale).begin(item));
}

std::optional<LanePiece> pieceInView(const LaneRow& row, const EventScale& scale, const PlotArea& area)
{
    const ItemScale keys(scale);
    const auto [first, beyond] = itemsInView(row, keys, area);
    if (first >= beyond)
        return std::nullopt;
    const LaneItem& last = row.items[beyond - 1];
    return LanePiece{area.toX(keys.begin(row.items[first])), area.toX(keys.end(last)), first, beyond - first};
}

namespace {

/// True if two adjacent pieces of ranges are so narrow, and so close, that they would look like a bar code.
bool isCrowded(LaneKind kind, const LanePiece& before, const LanePiece& piece)
{
    constexpr double narrow = 3;
    const bool isOfRanges = kind == LaneKind::Annotations || kind == LaneKind::Activities;
    return isOfRanges && piece.left - before.right < narrow && piece.right - piece.left < narrow
        && (before.isCrowd || before.right - before.left < narrow);
}

} // namespace

std::vector<LanePiece> lanePieces(const LaneRow& row, const EventScale& scale, const PlotArea& area)
{
    std::vector<LanePiece> pieces;
    const ItemScale keys(scale);
    const auto& items = row.items;
    const auto pieceOf = [&](std::size_t i) {
        return LanePiece{area.toX(keys.begin(items[i])), area.toX(keys.end(items[i])), i, 1};
    };
    const auto isWide = [](const LanePiece& piece) { return piece.right - piece.left >= 1; };
    const auto [first, end] = itemsInView(row, keys, area);
    for (std::size_t i = first; i < end;) {
        LanePiece piece = pieceOf(i);
        if (!isWide(piece)) {
            const double pixelEnd = area.keyAt(std::floor(piece.left) + 1);
            const auto beyond = std::partition_point(items.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                items.end(), [&](const LaneItem& item) { return keys.begin(item) < pixelEnd; });
            piece.count = static_cast<std::size_t>(beyond - items.begin()) - i;
            LanePiece last = pieceOf(i + piece.count - 1);
            if (piece.count > 1 && isWide(last)) // a wide item is not merged
                last = pieceOf(i + --piece.count - 1);
            piece.right = last.right;
        }
        i += piece.count;
        if (!pieces.empty() && isCrowded(row.kind, pieces.back(), piece)) {
            pieces.back().right = piece.right;
            pieces.back().count += piece.count;
            pieces.back().isCrowd = true;
        } else {
            pieces.push_back(piece);
        }
    }
    return pieces;
}

QString countedKind(LaneKind kind, std::size_t items)
{
    const auto count = static_cast<std::int64_t>(items);
    switch (kind) {
    case LaneKind::Steps: return countedText(count, "step", "steps");
    case LaneKind::Phases: return countedText(count, "phase", "phases");
    case LaneKind::CacheFlushes: return countedText(count, "cache flush", "cache flushes");
    case LaneKind::Activities: return countedText(count, "activity", "activities");
    case LaneKind::Annotations: return countedText(count, "range", "ranges");
    case LaneKind::OutOfMemory: break;
    }
    return countedText(count, "out-of-memory event", "out-of-memory events");
}

std::pair<std::int64_t, std::int64_t> eventsOf(const LaneRow& row, const LanePiece& piece)
{
    return {row.items[piece.first].firstEvent, row.items[piece.first + piece.count - 1].lastEvent};
}

QString tipOf(const LaneRow& row, const LanePiece& piece, bool hasTimes)
{
    const QString first = tipOfItem(row.kind, row.items[piece.first], hasTimes).join(QLatin1Char('\n'));
    if (piece.count == 1)
        return first;
    const auto [begin, end] = eventsOf(row, piece);
    const QString counted = countedKind(row.kind, piece.count);
    return tr("%1 too close to show separately · %2\nThe first one:\n%3")
        .arg(counted, eventRangeText(begin, end), first);
}

} // namespace highwater::gui
