#pragma once

#include <memory>
#include <vector>

#include <qcustomplot.h>

#include "app/timeline/bands/band_labels.h"
#include "app/timeline/parts/plot_area.h"

namespace highwater::gui {

/// The dense layer: paints the newest picture where the axes have it now. Until the exact one for the current
/// view has come the last one is shown stretched, over the picture of the whole, so that nothing is ever
/// blank.
class BandPlottable : public QCPAbstractPlottable
{
    Q_OBJECT

public:
    BandPlottable(QCPAxis* keyAxis, QCPAxis* valueAxis);

    void setArea(const PlotArea& area) { m_area = area; }
    /// Labels keep clear of these places.
    void setTaken(std::vector<QRectF> places) { m_taken = std::move(places); }
    /// The newest picture; none to show nothing.
    void setImage(std::shared_ptr<const BandImage> image);
    const std::shared_ptr<const BandImage>& image() const { return m_image; }
    /// Where the labels of the newest picture stand.
    std::vector<QRectF> labelPlaces() const;
    /// Down from where opaque pixels are between two places of the screen's x axis: what lies below them need
    /// not be painted. The area's lower edge where no picture has them.
    double coveredFrom(double left, double right) const;
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
    double coveredFrom(const BandImage& image, double left, double right) const;
    /// The part of the picture that falls into `part` of the screen.
    void drawPicture(QCPPainter* painter, const BandImage& image, const QRectF& part) const;

    PlotArea m_area;
    std::vector<QRectF> m_taken;
    BandLabelTexts m_labelTexts;
    std::shared_ptr<const BandImage> m_image;
    std::shared_ptr<const BandImage> m_widest;
};

} // namespace highwater::gui
