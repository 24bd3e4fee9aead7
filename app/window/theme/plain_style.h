#pragma once

#include <QProxyStyle>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Fusion with flat controls in the colours of the theme: combo boxes, table headers, check boxes and radio
/// buttons, arrows and crosses of lines. A focused button or tab has its edge as its only ring. A selected
/// cell keeps the colour of its text. Buttons of dialogs and message boxes have no icons. Cells and headers
/// of tables have `kCellPadding` pixels on both sides of their texts, and rows of one line one height. The
/// columns of size and date in a file dialog are as wide as their texts. Texts that do not fit end with an
/// ellipsis, also at the edge of a view that scrolls; numbers that do not fit are an ellipsis, and a column
/// of numbers that the edge cuts is blank.
class PlainStyle : public QProxyStyle
{
public:
    explicit PlainStyle(const ThemeColors& colors);

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
        QStyleHintReturn* answer) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    QRect subElementRect(
        SubElement element, const QStyleOption* option, const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
        const QWidget* widget) const override;
    QIcon standardIcon(StandardPixmap icon, const QStyleOption* option, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
        const QWidget* widget) const override;

private:
    void drawFocus(QPainter& painter, const QStyleOption& option) const;
    void drawIndicator(QPainter& painter, const QStyleOption& option, bool isRound) const;
    void drawComboBox(QPainter& painter, const QStyleOptionComplex& option, const QWidget* widget) const;
    void drawHeader(QPainter& painter, const QStyleOption& option) const;
    void drawShortened(
        ControlElement element, const QStyleOption& option, QPainter& painter, const QWidget* widget) const;

    ThemeColors m_colors;
};

} // namespace highwater::gui
