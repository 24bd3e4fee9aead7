#pragma once

#include <memory>
#include <vector>

#include <QImage>
#include <QPaintDevice>
#include <QString>

namespace highwater::gui::test {

/// A text as it was painted, in the pixels of the device.
struct DrawnText
{
    QString text;
    QRectF ink; ///< area of its glyphs, including the part outside `clip`
    QRectF clip; ///< area that could be painted; null if it is unlimited
    QColor color;
    QImage background; ///< background under the ink when it was painted
    double hidden = 0; ///< share of the ink that was painted over later
};

/// A paint device that separates texts from everything else. QWidget::render() on it finds every text in a
/// window, no matter which code painted it.
class TextDevice : public QPaintDevice
{
public:
    explicit TextDevice(const QSize& size);
    ~TextDevice() override;

    /// Call it after painting.
    const std::vector<DrawnText>& texts();
    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;

    QSize m_size;
    std::unique_ptr<Engine> m_engine;
};

} // namespace highwater::gui::test
