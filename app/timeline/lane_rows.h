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

/// The kinds of rows above the timeline.
enum class LaneKind
{
    Steps,
    Phases, ///< the label of an item is the name of its phase
    Annotations,
    CacheFlushes,
    OutOfMemory,
    Activities ///< kernels, copies, calls
};

/// One row above the timeline.
struct LaneRow
{
    LaneKind kind = LaneKind::Annotations;
    QString name; ///< shown next to the first row of a lane; empty for its other rows
    std::vector<LaneItem> items; ///< by begin; items do not overlap
};

/// The rows of one device. What the device does not have has no row.
struct LaneTable
{
    std::vector<LaneRow> rows;
    int hiddenDeeperRows = 0; ///< number of annotation rows left out; see `LaneOptions::allRows`
    std::size_t internalCount = 0; ///< number of annotations that PyTorch's compiler wrote for itself
    bool withInternal = false; ///< true if internal annotations are among the rows
};

/// Options of `laneTable`.
struct LaneOptions
{
    bool withInternal = false;
    bool allRows = false; ///< all annotation rows; if false, only the outer `kUsualAnnotationRows`
    bool operator==(const LaneOptions&) const = default;
};

inline constexpr int kUsualAnnotationRows = 4;
/// Maximum number of rows of each lane of activities; deeper ones are left out.
inline constexpr int kMaxActivityRows = 2;

/// Builds the lanes of a device. O(spans × log events + events of the device); may run on any thread.
std::shared_ptr<const LaneTable> laneTable(const DeviceAnalysis& analysis, const LaneOptions& choice);

/// Adjacent items of a row that are drawn as one bar: one item, all items that begin in one pixel and are
/// narrower than that pixel, or a crowd of ranges that are only a few pixels wide and apart.
struct LanePiece
{
    double left = 0; ///< in pixels; may be outside the area
    double right = 0;
    std::size_t first = 0; ///< index into the row's items
    std::size_t count = 1;
    bool isCrowd = false;
};

/// Returns all items in view as one piece; nullopt if there are none. O(log items).
std::optional<LanePiece> pieceInView(const LaneRow& row, const EventScale& scale, const PlotArea& area);

/// Returns the left edge of an item in pixels.
double leftEdgeOf(const LaneItem& item, const EventScale& scale, const PlotArea& area);

/// Returns the items in view, from left to right: at most two pieces per pixel. O(pixels × log items).
std::vector<LanePiece> lanePieces(const LaneRow& row, const EventScale& scale, const PlotArea& area);

/// Returns the events [first, last) that a piece spans.
std::pair<std::int64_t, std::int64_t> eventsOf(const LaneRow& row, const LanePiece& piece);

/// Returns "1,000 phases", for items that are too narrow to be shown one by one.
QString countedKind(LaneKind kind, std::size_t items);

/// Describes a piece in a few lines, for the tool tip; its duration only if the device `hasTimes`.
QString tipOf(const LaneRow& row, const LanePiece& piece, bool hasTimes);

} // namespace highwater::gui
