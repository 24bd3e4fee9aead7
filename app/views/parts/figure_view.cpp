#include "app/views/parts/figure_view.h"

#include <algorithm>

#include <QAction>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "app/views/parts/arrange.h"
#include "app/views/parts/picture_export.h"
#include "app/views/picture/figure_painter.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

/// Rectangles react to the mouse up to this many pixels outside their edges, because bars may be thin.
constexpr double kReach = 4;

QRectF rectOf(const FigureRect& rect)
{
    return {rect.x, rect.y, rect.width, rect.height};
}

QRectF rectOf(const FigurePolygon& polygon)
{
    QPolygonF points;
    for (const FigurePoint& point : polygon.points)
        points.append({point.x, point.y});
    return points.boundingRect();
}

bool contains(const FigureRect& rect, const QPointF& position)
{
    return rectOf(rect).contains(position);
}

bool contains(const FigurePolygon& polygon, const QPointF& position)
{
    if (!rectOf(polygon).contains(position))
        return false;
    QPolygonF points;
    for (const FigurePoint& point : polygon.points)
        points.append({point.x, point.y});
    return points.containsPoint(position, Qt::WindingFill);
}

/// Returns the area of a text, which must not be `upwards`.
QRectF rectOf(const FigureText& text)
{
    const double width = textWidth(text.text, text.size, text.bold);
    const double before = text.anchor == TextAnchor::Start ? 0
        : text.anchor == TextAnchor::End                   ? width
                                                           : width / 2;
    return {text.x - before, text.y - text.size, width, 1.3 * text.size};
}

bool contains(const FigureText& text, const QPointF& position)
{
    return rectOf(text).contains(position);
}

/// Returns the topmost shape of this type at a position that satisfies `wanted`; null if there is none.
template <typename Shape, typename Wanted>
const Shape* topmost(const std::vector<FigureShape>& shapes, const QPointF& position, Wanted wanted)
{
    for (auto shape = shapes.rbegin(); shape != shapes.rend(); ++shape)
        if (const auto* found = std::get_if<Shape>(&*shape);
            found && wanted(*found) && contains(*found, position))
            return found;
    return nullptr;
}

/// Returns the ids of the rectangles, without duplicates, in the order of the shapes.
std::vector<int> idsOf(const Figure& figure)
{
    std::vector<int> ids;
    for (const FigureShape& shape : figure.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape); rect && rect->id >= 0)
            if (std::find(ids.rbegin(), ids.rend(), rect->id) == ids.rend())
                ids.push_back(rect->id);
    return ids;
}

} // namespace

QString titleAt(const std::vector<FigureShape>& shapes, const QPointF& position)
{
    const auto hasTitle = [](const auto& shape) { return !shape.title.empty(); };
    QString title;
    if (const auto* rect = topmost<FigureRect>(shapes, position, hasTitle))
        title = linesToQString(rect->title);
    else if (const auto* polygon = topmost<FigurePolygon>(shapes, position, hasTitle))
        title = linesToQString(polygon->title);
    const auto isCut = [](const FigureText& text) { return !text.whole.empty(); };
    const auto* text = topmost<FigureText>(shapes, position, isCut);
    const QString whole = text ? toQString(text->whole) : QString();
    if (title.contains(whole)) // as everything contains an empty text
        return title;
    return title.isEmpty() ? whole : whole + QLatin1Char('\n') + title;
}

FigureView::FigureView(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    offerPicture(*this, [this](const PictureRoom& room) { return pictureFor(room); });
}

void FigureView::setMaker(Maker maker)
{
    m_maker = std::move(maker);
    make();
}

void FigureView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    make();
}

void FigureView::setSelected(std::optional<int> id)
{
    if (id == m_selected)
        return;
    m_selected = id;
    m_current = id;
    update();
}

void FigureView::make()
{
    m_figure = madeFor(size(), m_colors.ground());
    m_ids = idsOf(m_figure);
    m_hovered.reset();
    for (QAction* action : actions())
        action->setEnabled(!m_figure.shapes.empty());
    setAccessibleName(toQString(m_figure.title));
    m_picture.drop();
    update();
}

QRectF FigureView::rectOf(int id) const
{
    QRectF united;
    for (const FigureShape& shape : m_figure.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape); rect && rect->id == id)
            united |= gui::rectOf(*rect);
    return united;
}

QString FigureView::titleAt(const QPointF& position) const
{
    return gui::titleAt(m_figure.shapes, position);
}

std::optional<int> FigureView::idAt(const QPointF& position) const
{
    const auto hasId = [](const FigureRect& rect) { return rect.id >= 0; };
    if (const auto* rect = topmost<FigureRect>(m_figure.shapes, position, hasId))
        return rect->id;
    const auto isNear = [&](const FigureRect& rect) {
        return rect.id >= 0
            && gui::rectOf(rect).adjusted(-kReach, -kReach, kReach, kReach).contains(position);
    };
    for (const FigureShape& shape : m_figure.shapes)
        if (const auto* rect = std::get_if<FigureRect>(&shape); rect && isNear(*rect))
            return rect->id;
    return std::nullopt;
}

Figure FigureView::madeFor(const QSizeF& room, Ground ground) const
{
    if (!m_maker || room.isEmpty())
        return {};
    const QSize pixels = room.toSize();
    return m_maker({.width = pixels.width(),
        .height = pixels.height(),
        .dark = ground.dark,
        .contrast = ground.contrast,
        .titled = false});
}

Picture FigureView::pictureFor(const PictureRoom& room)
{
    if (m_figure.shapes.empty() || room.size.isEmpty())
        return m_figure.shapes.empty() ? Picture() : Picture(m_figure);
    Figure figure = madeFor(room.size, {m_colors.dark && !room.isOnWhite, m_colors.contrast});
    make(); // some makers remember what they made last
    return figure.shapes.empty() ? Picture() : Picture(std::move(figure));
}

void FigureView::outline(QPainter& painter, int id, const QPen& pen) const
{
    const QRectF rect = rectOf(id);
    if (rect.isNull())
        return;
    const double half = pen.widthF() / 2;
    painter.setPen(pen);
    painter.drawRect(QRectF(rect.toAlignedRect()).adjusted(half, half, -half, -half));
}

void FigureView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    m_picture.show(painter, *this, [this](QPainter& target) {
        target.fillRect(rect(), m_colors.surface);
        if (!m_figure.shapes.empty())
            paintFigure(target, m_figure);
    });
    if (m_hovered && m_hovered != m_selected)
        outline(painter, *m_hovered, QPen(m_colors.quietText, 1));
    if (m_selected)
        outline(painter, *m_selected, QPen(m_colors.text, 2));
    if (m_current && m_current != m_selected && hasFocus())
        outline(painter, *m_current, QPen(m_colors.accent, 2, Qt::DotLine));
}

void FigureView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        m_picture.drop();
        update();
    }
}

void FigureView::click(const QPointF& position)
{
    const std::optional<int> id = idAt(position);
    if (!id)
        return;
    m_current = id;
    update();
    emit clicked(*id);
}

void FigureView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        click(event->position());
}

void FigureView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const std::optional<int> id = idAt(event->position());
    if (id && event->button() == Qt::LeftButton)
        emit doubleClicked(*id);
}

void FigureView::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<int> id = idAt(event->position());
    if (id == m_hovered)
        return;
    m_hovered = id;
    setCursor(id ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void FigureView::leaveEvent(QEvent*)
{
    m_hovered.reset();
    update();
}

void FigureView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void FigureView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

/// Moves to the clickable shape with this index, or to the first or last one if it is out of range.
void FigureView::walkTo(std::ptrdiff_t position)
{
    if (m_ids.empty())
        return;
    const auto last = static_cast<std::ptrdiff_t>(m_ids.size()) - 1;
    m_current = m_ids[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(position, 0, last))];
    setAccessibleDescription(titleAt(rectOf(*m_current).center()));
    update();
    emit walked(*m_current);
}

void FigureView::keyPressEvent(QKeyEvent* event)
{
    const auto found = std::find(m_ids.begin(), m_ids.end(), m_current.value_or(-1));
    const bool hasCurrent = found != m_ids.end();
    const std::ptrdiff_t index = found - m_ids.begin();
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Left: walkTo(hasCurrent ? index - 1 : 0); return;
    case Qt::Key_Down:
    case Qt::Key_Right: walkTo(hasCurrent ? index + 1 : 0); return;
    case Qt::Key_Home: walkTo(0); return;
    case Qt::Key_End: walkTo(static_cast<std::ptrdiff_t>(m_ids.size()) - 1); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (hasCurrent)
            emit clicked(*found);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

bool FigureView::event(QEvent* event)
{
    return keepKeys(*event, {Qt::Key_Left, Qt::Key_Right})
        || showTip(*event, *this, [this](const QPoint& position) { return titleAt(position); })
        || QWidget::event(event);
}

} // namespace highwater::gui
