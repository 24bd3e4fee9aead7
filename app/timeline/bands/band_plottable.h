#pragma once

#include <memory>
#include <vector>

#include <qcustomplot.h>

#include "app/timeline/bands/band_labels.h"
#include "app/timeline/parts/plot_area.h"

namespace highwater::gui {

/// Paints the newest picture of the bands where it belongs on the axes. Until the picture of the current view
/// is ready, the newest one is moved and scaled. Around it, the plot shows the backdrop: an earlier picture
/// of the same data that covers more of the axes. QCustomPlot owns this object.
class BandPlottable : public QCPAbstractPlottable
{
    Q_OBJECT

public:
    BandPlottable(QCPAxis* keyAxis, QCPAxis* valueAxis);

    void setArea(const PlotArea& area) { m_area = area; }
    /// Sets places that labels must not overlap.
    void setBlockedPlaces(std::vector<QRectF> places) { m_taken = std::move(places); }
    /// Sets the newest picture; null to show nothing.
    void setImage(std::shared_ptr<const BandImage> image);
    const std::shared_ptr<const BandImage>& image() const { return m_image; }
    /// Returns the rectangles of the newest picture's labels, or their spares, that have a free place.
    std::vector<QRectF> labelPlaces() const;
    /// Returns a y below which all pixels between two x are opaque, so that the background need not be
    /// painted there; the lower edge of the area if there is no such y, or if the newest picture covers only
    /// a part of that width.
    double topOfCoveredRows(double left, double right) const;
    /// Forgets all pictures.
    void clear();

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& foundRange, QCP::SignDomain inSignDomain) const override;
    QCPRange getValueRange(
        bool& foundRange, QCP::SignDomain inSignDomain, const QCPRange& inKeyRange) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    QRectF placeOf(const BandImage& image) const;
    double topOfCoveredRows(const BandImage& image, double left, double right) const;
    /// Draws the part of the picture inside `part` of the screen.
    void drawPicture(QCPPainter* painter, const BandImage& image, const QRectF& part) const;

    PlotArea m_area;
    std::vector<QRectF> m_taken;
    BandLabelTexts m_labelTexts;
    std::shared_ptr<const BandImage> m_image;
    std::shared_ptr<const BandImage> m_backdrop;
};

} // namespace highwater::gui
