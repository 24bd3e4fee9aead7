#pragma once

#include <memory>

#include <QByteArray>
#include <QPaintDevice>
#include <QSizeF>
#include <QString>

namespace highwater::gui {

/// A paint device that writes what is painted as an SVG document: shapes as paths, texts as texts, images as
/// embedded PNG. QSvgGenerator of Qt 6.4 is no substitute: it drops clips and does not escape the title. A
/// clip is reduced to its bounding rectangle.
class SvgDevice : public QPaintDevice
{
public:
    /// `size` is in the units of the painter. `unit` is the size of one unit of the painter in the document,
    /// in pixels of 1/96 inch. `title` is the alternative text.
    SvgDevice(const QSizeF& size, double unit, QString title);
    ~SvgDevice() override;

    /// Returns the document. Call it after painting has ended.
    QByteArray document() const;
    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;

    QSizeF m_size;
    double m_unit;
    QString m_title;
    std::unique_ptr<Engine> m_engine;
};

} // namespace highwater::gui
