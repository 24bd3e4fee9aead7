#pragma once

#include <optional>

#include <QWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/base/units.h"

namespace highwater::gui {

/// Figures of a gauge. The texts may say more than the numbers, such as "≥ 22.85 GiB".
struct GaugeFigures
{
    Bytes used = 0;
    Bytes reserved = 0; ///< 0 if unknown
    std::optional<Bytes> capacity;
    Bytes scale = 0; ///< bytes of the whole bar; 0 if the largest of these figures fills it
    QString usedText;
    QString reservedText;
    QString capacityText;
    QString moment; ///< "at the peak"; empty if the figures around the gauge name it
    bool ranOut = false;
    QString tip; ///< tool tip: the exact figures and the source of the capacity
};

/// A bar that shows how much of the capacity was used and reserved at one moment, with the name of the moment
/// above and the figures below. A bar with the scale of another marks the capacity.
class MemoryGauge : public QWidget
{
    Q_OBJECT

public:
    explicit MemoryGauge(QWidget* parent = nullptr);

    void setFigures(const GaugeFigures& figures);
    void setColors(const ThemeColors& colors);
    /// Returns all figures, including those that do not fit.
    QString text() const;
    const GaugeFigures& figures() const { return m_figures; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void clicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    int barTop() const;
    void paintFigures(QPainter& painter, int top) const;

    GaugeFigures m_figures;
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
