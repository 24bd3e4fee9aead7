#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <qcustomplot.h>

#include "app/timeline/band_image.h"
#include "app/timeline/plot_area.h"
#include "app/workspace/selection.h"
#include "app/workspace/theme_colors.h"

namespace highwater::gui {

/// What follows the mouse: the cursor line and the outlines of the hovered and the pinned allocation. It has
/// a layer of its own, so that moving the mouse repaints nothing else.
class CursorOverlay : public QCPLayerable
{
    Q_OBJECT

public:
    CursorOverlay(QCustomPlot* plot, const Selection& selection);

    void setArea(const PlotArea& area) { m_area = area; }
    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void setImage(std::shared_ptr<const BandImage> image) { m_image = std::move(image); }
    /// The marked range, as places on the x axis.
    void setRangeKeys(std::optional<std::pair<double, double>> keys) { m_rangeKeys = keys; }
    /// Where the cursor line stands, as a place on the x axis.
    void setCursorKey(std::optional<double> key) { m_cursorKey = key; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override { return m_area.rect.toAlignedRect(); }
    void draw(QCPPainter* painter) override;

private:
    void drawRange(QCPPainter* painter) const;
    void drawOutline(
        QCPPainter* painter, AllocationIndex allocation, const QColor& line, const QColor& fill) const;

    const Selection& m_selection;
    std::shared_ptr<const BandImage> m_image;
    PlotArea m_area;
    ThemeColors m_colors;
    std::optional<double> m_cursorKey;
    std::optional<std::pair<double, double>> m_rangeKeys;
};

/// Rows [from, to) that an allocation has in some neighbouring columns [first, last).
struct BandPiece
{
    int first;
    int last;
    int from;
    int to;
};

/// The pixels of one allocation, neighbouring columns with the same rows joined.
std::vector<BandPiece> piecesOf(const BandImage& image, AllocationIndex allocation);

} // namespace highwater::gui
