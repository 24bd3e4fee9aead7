#pragma once

#include <array>
#include <memory>
#include <optional>

#include <QAbstractScrollArea>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/allocator/allocator_moment.h"
#include "core/figure/layout/address_map.h"
#include "core/figure/segments/request_bars.h"

namespace highwater::gui {

/// A map of the allocator's segments at one moment, all on one scale: blocks in the colours of the timeline,
/// hatched if kept from earlier steps, free blocks outlined and empty, pending frees in their own pattern.
/// Above the map, a request that failed at the moment is compared with the free blocks. In the map, a request
/// that failed at any moment is marked at the largest free block that may serve it. The memory that the event
/// of the moment changed is outlined. In a low viewport, rows are thin, and there is no key. The wheel
/// scrolls, Ctrl+wheel zooms, left and right arrows walk the events. Layout and painting are in device
/// pixels.
class AddressMapView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit AddressMapView(QWidget* parent = nullptr);

    /// Shows the segments of a moment; null shows nothing. While the device stays the same, so do the
    /// palette, the scroll position and, as far as the segments fit, the scale. No segment stays marked.
    void show(std::shared_ptr<const DeviceAnalysis> analysis, std::shared_ptr<const AllocatorMoment> moment);
    /// Sets the colours of the blocks; the palette must be of the same device. If it is null, blocks are
    /// coloured by call site.
    void setPalette(std::shared_ptr<const BandPalette> palette);
    void setColors(const ThemeColors& colors);
    void setOrder(SegmentOrder order);
    /// Sets the zoom, clamped to 1 … 4,096. At 1, the whole map fits the view, unless it would be illegible.
    void setZoom(double zoom);
    double zoom() const { return m_zoom; }
    /// Fits the scale to the moment on screen, without zoom.
    void fit();
    /// Marks the block of this allocation; kNoAllocation removes the mark.
    void setMarked(AllocationIndex allocation);
    /// Scrolls to a segment, an index in `SegmentState::segments`, and marks it.
    void showSegment(std::uint32_t segment);
    /// Scrolls to the memory that the event of the moment changed.
    void showChange();

    /// Returns the index in `SegmentState::blocks` of the block at a position of the viewport; nullopt if
    /// there is none.
    std::optional<std::uint32_t> blockAt(const QPoint& position) const;
    QString tipAt(const QPoint& position) const;
    const AddressMap& map() const { return m_map; }
    /// Returns the width left of the map for the addresses of its rows, in pixels of the widget; 0 if they
    /// are not shown.
    int gutter() const { return m_gutter; }
    /// Returns the bars of a failed request and the key, above the map, in device pixels; no shapes if there
    /// are neither.
    const RequestBars& request() const { return m_request; }
    /// Return the failed request as a ghost in the map, and the outline of the changed memory, in device
    /// pixels below the bars; both may be empty.
    const std::vector<FigureShape>& ghost() const { return m_ghost; }
    const std::vector<FigureShape>& changeMarks() const { return m_marks; }

    QSize minimumSizeHint() const override { return {240, 110}; }

signals:
    /// The mouse points at this allocation; kNoAllocation if there is none below it.
    void hovered(quint32 allocation);
    void clicked(quint32 allocation);
    void doubleClicked(quint32 allocation);
    void zoomChanged();
    /// The user wants to go to the next event, or to the previous one if `direction` is −1; to the next or
    /// previous step if `bySteps`.
    void walked(int direction, bool bySteps);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    static constexpr int kMargin = 8; ///< around the map
    static constexpr int kShortViewport = 170; ///< pixels; below this height, more rows say more than a key

    void layOut();
    void layOutMap();
    AddressMapOptions options() const;
    int roomToFill(const AddressMapOptions& layoutOptions) const;
    void chooseScale(AddressMapOptions& layoutOptions);
    bool isShort() const { return viewport()->height() < kShortViewport; }
    void layOutRequest();
    void layOutMarks();
    void scrollTo(int mapY);
    double deviceFont() const;
    int freeBlockRows() const;
    QString captionAt(const QPoint& mapPoint) const;
    QString headingAt(int y) const;
    QPoint toMap(const QPoint& position) const;
    QString textOf(const FreeListKey& key) const;
    bool isAboveGhost(const MapHeading& heading) const;
    bool isKept(AllocationIndex allocation) const;
    void paintHeadings(QPainter& painter, const QRect& part, const QFont& font) const;
    void paintAddresses(QPainter& painter, const QRect& part) const;
    void paintMap(QPainter& painter, const QRect& part, int pixel) const;
    void paintCaptions(QPainter& painter, const QRect& part) const;
    AllocationIndex allocationAt(const QPoint& position) const;
    void setHovered(AllocationIndex allocation);

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::shared_ptr<const AllocatorMoment> m_moment;
    std::shared_ptr<const BandPalette> m_palette;
    ThemeColors m_colors;
    AddressMap m_map; ///< in device pixels, below the request
    RequestBars m_request; ///< in device pixels
    std::string m_commonObstacle; ///< holds all held segments, named once below the bars; may be empty
    std::vector<FigureShape> m_marks;
    std::vector<FigureShape> m_ghost;
    /// The coarsest scale so far, of wrapped segments and of segments with their own rows, without zoom.
    std::array<double, 2> m_coarsest = {};
    bool m_hasRowPerSegment = false;
    int m_gutter = 0; ///< pixels left of the map for the addresses of rows
    SegmentOrder m_order = SegmentOrder::ByFreeList;
    double m_zoom = 1;
    AllocationIndex m_hovered = AllocationTable::kNoAllocation;
    AllocationIndex m_marked = AllocationTable::kNoAllocation;
    std::optional<std::uint32_t> m_markedSegment;
};

} // namespace highwater::gui
