#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QRegion>
#include <QWidget>

#include "app/timeline/bands/allocation_outline.h"
#include "app/timeline/parts/plot_area.h"
#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/selection.h"

namespace highwater::gui {

/// The line of the cursor, that is of the chosen moment, the lighter line at the mouse, the marked range, and
/// the hovered and the pinned allocation. A transparent widget over the whole plot, which owns it. It
/// repaints the rectangles of what it drew and of what it draws now, not the whole plot.
class CursorOverlay : public QWidget
{
    Q_OBJECT

public:
    CursorOverlay(QWidget* plot, const Selection& selection);

    /// Sets the place of the axes, and makes the widget as large as the plot.
    void setArea(const PlotArea& area);
    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void setImage(std::shared_ptr<const BandImage> image) { m_image = std::move(image); }
    /// Sets the marked range, as positions on the x axis.
    void setRangeKeys(std::optional<std::pair<double, double>> keys) { m_rangeKeys = keys; }
    /// Sets the cursor: its position on the x axis, and its label. The label is below the axis, or in the
    /// plot if there is no room below, and never left or right of the plot. Without a cursor, the label of
    /// the mouse is there.
    void setCursor(std::optional<double> key, const QString& text)
    {
        m_cursorKey = key;
        m_cursorText = text;
    }
    /// Rectangles of texts in and below the plot.
    struct Labels
    {
        /// Numbers at the ticks, and the name of the axis below them; the cursor's label hides those that it
        /// touches.
        std::vector<QRectF> ticks;
        std::vector<QRectF> bands; ///< outlines are not drawn over those that they cross
        std::vector<QRectF> marks; ///< of markers; the cursor's label avoids them at the top of the plot
    };
    /// Sets the function that finds the labels. Its result is kept until forgetLabels().
    void setLabels(std::function<Labels()> find) { m_findLabels = std::move(find); }
    void forgetLabels() { m_labels.reset(); }
    /// Sets the position of the mouse on the x axis, and its label; nullopt if the mouse is elsewhere.
    void setMouse(std::optional<double> key, const QString& text)
    {
        m_mouseKey = key;
        m_mouseText = text;
    }
    /// Repaints. Call after the setters, unless the whole plot is repainted anyway.
    void refresh();
    /// Returns the rectangle of the label: that of the cursor if there is a cursor, else that of the mouse.
    /// Empty if the label has no text or is out of view.
    QRectF tagRect() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// The pieces of one allocation in one picture.
    struct Outline
    {
        std::shared_ptr<const BandImage> image;
        AllocationIndex allocation = Selection::kNone;
        std::vector<BandPiece> pieces;
    };

    bool isHoveredShown() const;
    bool isPinnedShown() const { return m_image && m_selection.isPinned(); }
    /// The byte ranges of the pinned allocation in one picture.
    struct PinnedRanges
    {
        std::shared_ptr<const BandImage> image;
        AllocationIndex allocation = Selection::kNone;
        std::vector<BandByteRange> ranges;
    };

    const std::vector<BandByteRange>& pinnedRanges() const;
    QRectF byteRangeRect(const BandByteRange& range) const;
    const Outline& outlineOf(AllocationIndex allocation, Outline& cached) const;
    QRectF pieceRect(const BandPiece& piece) const;
    QRect bounds(const Outline& outline) const;
    /// Returns rectangles that contain everything that is drawn now.
    QRegion drawnRegion() const;
    void drawRange(QPainter& painter) const;
    void drawHovered(QPainter& painter, const Outline& outline) const;
    QRegion labelsCrossedBy(const std::vector<QRectF>& rects) const;
    void drawPinned(QPainter& painter) const;
    void drawBirth(QPainter& painter) const;
    void drawVertical(QPainter& painter, double key, const QColor& color) const;
    void drawTag(QPainter& painter) const;
    QRectF birthLine() const;
    const std::optional<double>& tagKey() const { return m_cursorKey ? m_cursorKey : m_mouseKey; }
    const QString& tagText() const { return m_cursorKey ? m_cursorText : m_mouseText; }
    const Labels& labels() const;
    std::vector<QRectF> cutTickLabels() const;

    const Selection& m_selection;
    std::shared_ptr<const BandImage> m_image;
    PlotArea m_area;
    ThemeColors m_colors;
    std::optional<double> m_cursorKey;
    QString m_cursorText;
    std::function<Labels()> m_findLabels;
    mutable std::optional<Labels> m_labels;
    mutable TextCache m_texts;
    std::optional<double> m_mouseKey;
    QString m_mouseText;
    mutable Outline m_hoveredOutline;
    mutable PinnedRanges m_pinnedRanges;
    QRegion m_drawnRegion; ///< `drawnRegion` of the last refresh() or paint event
    bool m_isDrawnRegionCurrent = false; ///< nothing was painted since refresh()
    std::optional<std::pair<double, double>> m_rangeKeys;
};

} // namespace highwater::gui
