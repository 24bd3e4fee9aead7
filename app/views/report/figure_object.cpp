#include "app/views/report/figure_object.h"

#include <algorithm>

#include <QPainter>

#include "app/views/picture/figure_painter.h"
#include "core/figure/drawing/svg_theme.h"

namespace highwater::gui {

namespace {
/// Below this scale, the texts of a figure are unreadable.
constexpr double kLeastScale = 0.6;
} // namespace

FigureObject::FigureObject(QObject* parent)
    : QObject(parent)
{
}

QTextCharFormat FigureObject::add(const ReportFigure& figure)
{
    QTextCharFormat format;
    format.setObjectType(kObjectType);
    format.setProperty(kFigureIndex, static_cast<int>(m_figures.size()));
    m_figures.push_back(&figure);
    return format;
}

const ReportFigure* FigureObject::figureOf(const QTextFormat& format) const
{
    if (!format.hasProperty(kFigureIndex))
        return nullptr;
    const auto index = static_cast<std::size_t>(format.intProperty(kFigureIndex));
    return index < m_figures.size() ? m_figures[index] : nullptr;
}

const Figure& FigureObject::pictureOf(const ReportFigure& figure) const
{
    const bool hasNarrow = figure.narrow.width > 0;
    const bool isTight = m_look.room < kLeastScale * m_look.figurePixel * figure.wide.width;
    return hasNarrow && isTight ? figure.narrow : figure.wide;
}

QSizeF FigureObject::sizeOf(const Figure& figure) const
{
    if (figure.width <= 0 || figure.height <= 0)
        return {1, 1};
    const double scale
        = std::min({m_look.figurePixel, m_look.room / figure.width, m_look.height / figure.height});
    return QSizeF(figure.width, figure.height) * scale;
}

QSizeF FigureObject::intrinsicSize(QTextDocument*, int, const QTextFormat& format)
{
    const ReportFigure* const figure = figureOf(format);
    return figure ? sizeOf(pictureOf(*figure)) : QSizeF();
}

const Figure& FigureObject::painted(const Figure& figure) const
{
    if (!m_look.colors.dark)
        return figure;
    const auto cached = m_dark.find(&figure);
    return cached != m_dark.end() ? cached->second
                                  : m_dark.emplace(&figure, onGround(figure, {.dark = true})).first->second;
}

void FigureObject::drawObject(
    QPainter* painter, const QRectF& rect, QTextDocument*, int, const QTextFormat& format)
{
    const ReportFigure* const figure = figureOf(format);
    if (!figure)
        return;
    const Figure& picture = pictureOf(*figure);
    if (picture.width <= 0 || picture.height <= 0)
        return;
    painter->save();
    painter->setFont(m_look.font);
    painter->translate(rect.topLeft());
    painter->scale(rect.width() / picture.width, rect.height() / picture.height);
    paintFigure(*painter, painted(picture));
    painter->restore();
}

} // namespace highwater::gui
