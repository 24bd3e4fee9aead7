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
    QRectF ink; ///< what its glyphs fill, also outside of `clip`
    QRectF clip; ///< what could be painted; null: anything
    QColor color;
    QImage background; ///< what lay below the ink when it was painted
    double hidden = 0; ///< share of the ink that was painted over
};

/// Something to paint on that tells the texts from the rest: QWidget::render() on it finds every text of a
/// window, whoever painted it.
class TextDevice : public QPaintDevice
{
public:
    explicit TextDevice(const QSize& size);
    ~TextDevice() override;

    /// After the painting.
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
