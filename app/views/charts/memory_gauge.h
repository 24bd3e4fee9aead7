#pragma once

#include <optional>
#include <vector>

#include <QStringList>
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
    Bytes scale = 0; ///< bytes of the whole bar, unless one of the figures is larger
    QString usedText;
    QString reservedText;
    QString capacityText;
    QString moment; ///< "at the peak"; empty if the figures around the gauge name it
    bool ranOut = false;
    QString tip; ///< for the tool tip, which the owner of the gauge sets
};

/// A bar that shows how much of the capacity was used and reserved at one moment, with the name of the moment
/// above and the figures below. A narrow gauge has the capacity or the reserved figure in the line of the
/// moment. With a `scale`, the capacity is marked; without one, the end of the bar is if memory ran out, and
/// a reserved part without room for its figure is not drawn apart.
class MemoryGauge : public QWidget
{
    Q_OBJECT

public:
    explicit MemoryGauge(QWidget* parent = nullptr);

    void setFigures(const GaugeFigures& figures);
    void setColors(const ThemeColors& colors);
    /// Returns the moment and all figures, including those that do not fit.
    QString text() const;
    const GaugeFigures& figures() const { return m_figures; }
    /// Returns the texts as painted, without those that do not fit.
    QStringList shownTexts() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void clicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    int barTop() const;
    struct PlacedText
    {
        QRect place;
        Qt::Alignment side = Qt::AlignLeft;
        QString text;
        bool isUsed = false; ///< the used figure, which is darker
        bool isReserved = false; ///< the reserved figure
    };

    std::vector<PlacedText> placedTexts() const;

    GaugeFigures m_figures;
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
