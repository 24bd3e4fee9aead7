#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QString>

#include "app/timeline/parts/plot_area.h"
#include "app/workspace/document/device_analysis.h"
#include "core/analysis/steps/lanes.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

enum class LaneKind
{
    Steps,
    Phases, ///< the label of an item is the name of its phase
    Annotations,
    CacheFlushes,
    OutOfMemory,
    Activities, ///< kernels, copies, calls
    Recorded ///< of a trace without memory events: ranges by time alone
};

/// One row above the timeline.
struct LaneRow
{
    LaneKind kind = LaneKind::Annotations;
    QString name; ///< shown next to its lane's first row; empty for rows nested in it
    std::vector<LaneItem> items; ///< by begin; none begins before the one before it ends
};

/// All rows of one device that have something in them.
struct LaneTable
{
    std::vector<LaneRow> rows;
    int deeperRows = 0; ///< rows of annotations below the last one here
    std::size_t internal = 0; ///< annotations that the compiler wrote for itself
    bool withInternal = false; ///< whether they are among the rows
};

/// What is asked of `laneTable`.
struct LaneChoice
{
    bool withInternal = false;
    bool allRows = false; ///< false: only the outer `kUsualAnnotationRows`
    bool operator==(const LaneChoice&) const = default;
};

inline constexpr int kUsualAnnotationRows = 4;
inline constexpr int kMostRecordedRows = 8;
inline constexpr int kMostActivityRows = 2;

/// O(spans + events of the device); runs on any thread.
std::shared_ptr<const LaneTable> laneTable(const DeviceAnalysis& analysis, const LaneChoice& choice);

/// The same for a trace without memory events: of each lane the outer `kMostRecordedRows`.
std::shared_ptr<const LaneTable> recordedLaneTable(const Trace& trace);

/// Some neighbouring items of a row as they lie on screen: one, or all that begin in one pixel and are
/// thinner.
struct LanePiece
{
    double left = 0; ///< in pixels; may lie outside of the area
    double right = 0;
    std::size_t first = 0; ///< into the row's items
    std::size_t count = 1;
};

/// All items in view as one piece; none where there are none. O(log items).
std::optional<LanePiece> wholePiece(const LaneRow& row, const EventScale& scale, const PlotArea& area);

/// Where an item begins on screen, in pixels.
double leftOf(const LaneItem& item, const EventScale& scale, const PlotArea& area);

/// The items in view, from left to right: at most two pieces for each pixel. O(pixels × log items).
std::vector<LanePiece> lanePieces(const LaneRow& row, const EventScale& scale, const PlotArea& area);

/// The events [first, last) that a piece spans.
std::pair<std::int64_t, std::int64_t> eventsOf(const LaneRow& row, const LanePiece& piece);

/// What a piece is, in a few lines.
QString tipOf(const LaneRow& row, const LanePiece& piece, bool hasTimes);

} // namespace highwater::gui
