#include "app/views/charts/treemap_chart.h"

#include <algorithm>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "app/views/parts/arrange.h"
#include "app/views/parts/box_label.h"
#include "app/views/picture/hatching.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

/// Smallest tile in square pixels; smaller parts share one tile.
constexpr double kSmallestTile = 12;
/// Smallest width and height, in pixels, at which a tile has its own border.
constexpr double kSmallestBordered = 3;

QRectF qRectOf(const Rectangle& place)
{
    return {place.x, place.y, place.width, place.height};
}

} // namespace

TreemapChart::TreemapChart(QWidget* parent)
    : QWidget(parent)
{
    named(this, "treemapChart", tr("Treemap"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void TreemapChart::setContent(std::shared_ptr<const TreemapContent> content)
{
    const QString title
        = m_content && m_focus < m_content->groups.size() ? m_content->groups[m_focus].name.title : QString();
    m_content = std::move(content);
    m_focus = kNoGroup;
    for (std::uint32_t i = 0; m_content && !title.isEmpty() && i < m_content->groups.size(); ++i)
        if (m_content->groups[i].name.title == title)
            m_focus = i;
    layOut();
}

void TreemapChart::setSearch(const QString& text)
{
    m_search = text;
    m_picture.drop();
    update();
}

void TreemapChart::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    m_picture.drop();
    update();
}

void TreemapChart::setFocusGroup(std::uint32_t group)
{
    m_focus = m_content && group < m_content->groups.size() ? group : kNoGroup;
    layOut();
}

double TreemapChart::headerHeight() const
{
    return m_content && !m_content->hasTitles ? 0 : fontMetrics().height() + 3;
}

void TreemapChart::layOut()
{
    m_hovered.reset();
    m_chosen.reset();
    m_currentGroup = kNoGroup;
    m_picture.drop();
    m_layout = {};
    const Rectangle area{0, 0, static_cast<double>(width()), static_cast<double>(height())};
    if (m_content && m_focus != kNoGroup)
        m_layout = treemapLayout({&m_content->sizes[m_focus], 1}, area, headerHeight(), kSmallestTile);
    else if (m_content)
        m_layout = treemapLayout(m_content->sizes, area, headerHeight(), kSmallestTile);
    update();
}

void TreemapChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        layOut();
    QWidget::changeEvent(event);
}

const TreemapContent::Named& TreemapChart::nameOf(const TreemapTile& tile) const
{
    return m_content->groups[contentGroup(tile.group)].sites[tile.firstPart].name;
}

QString TreemapChart::titleOf(const TreemapTile& tile) const
{
    return tile.partCount == 1 ? nameOf(tile).title : tr("… %1 more").arg(countText(tile.partCount));
}

bool TreemapChart::isKept(const TreemapTile& tile) const
{
    return tile.partCount == 1 && m_content->groups[contentGroup(tile.group)].sites[tile.firstPart].isKept;
}

/// Paints a tile with its place and its bytes, below each other if there is room.
void TreemapChart::paintTile(QPainter& painter, const TreemapTile& tile) const
{
    QRectF rect = qRectOf(tile.place);
    if (rect.width() >= kSmallestBordered && rect.height() >= kSmallestBordered)
        rect.adjust(0, 0, -1, -1);
    const TreemapContent::Group& group = m_content->groups[contentGroup(tile.group)];
    const QString title = titleOf(tile);
    const bool isMatch = m_search.isEmpty() || group.name.title.contains(m_search, Qt::CaseInsensitive)
        || title.contains(m_search, Qt::CaseInsensitive);
    const QColor color = isMatch ? nameOf(tile).colorFor(m_colors) : m_colors.hover;
    painter.fillRect(rect, color);
    if (isKept(tile) && isMatch)
        paintHatching(painter, rect, m_colors.ground());
    const QRectF room = rect.adjusted(4, 2, -3, -2);
    const double line = fontMetrics().height();
    const int width = static_cast<int>(room.width());
    const QRectF first(room.left(), room.top(), room.width(), line);
    if (room.height() >= 2 * line) {
        const QString name = fittingLabel(fontMetrics(), title, {}, width);
        paintBoxLabel(painter, first, color, m_colors.ground(), name, title);
        const QString size = isKept(tile) ? tr("%1 kept").arg(bytesText(tile.bytes)) : bytesText(tile.bytes);
        if (!name.isEmpty() && fontMetrics().horizontalAdvance(size) <= width)
            paintBoxLabel(painter, first.translated(0, line), color, m_colors.ground(), size, size);
    } else if (room.height() >= line) {
        paintBoxLabel(painter, first, color, m_colors.ground(),
            fittingLabel(fontMetrics(), title, bytesText(tile.bytes), width), title);
    }
}

bool TreemapChart::isFaded(const TreemapContent::Group& group) const
{
    const auto matches = [this](const TreemapContent::Named& name) {
        return name.title.contains(m_search, Qt::CaseInsensitive);
    };
    return !m_search.isEmpty() && !matches(group.name)
        && std::ranges::none_of(group.sites, matches, &TreemapContent::Site::name);
}

void TreemapChart::paintTitle(
    QPainter& painter, const TreemapContent::Group& group, Bytes bytes, const Rectangle& area) const
{
    const QRectF band(area.x, area.y, area.width - 1, headerHeight());
    const QColor color = isFaded(group) ? m_colors.hover : group.name.colorFor(m_colors).darker(112);
    painter.fillRect(band, color);
    const QRectF room = band.adjusted(4, 0, -3, 0);
    paintBoxLabel(painter, room, color, m_colors.ground(),
        fittingLabel(fontMetrics(), group.name.title, bytesText(bytes), static_cast<int>(room.width())),
        group.name.title);
}

void TreemapChart::paintTiles(QPainter& painter) const
{
    painter.fillRect(rect(), m_colors.surface);
    for (const TreemapTile& tile : m_layout.tiles)
        paintTile(painter, tile);
    for (std::uint32_t i = 0; m_content && m_content->hasTitles && i < m_layout.groups.size(); ++i) {
        const Rectangle& area = m_layout.groups[i];
        if (area.height >= 2 * headerHeight())
            paintTitle(
                painter, m_content->groups[contentGroup(i)], m_content->sizes[contentGroup(i)].bytes, area);
    }
}

void TreemapChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    m_picture.show(painter, *this, [this](QPainter& target) { paintTiles(target); });
    if (m_chosen) {
        painter.setPen(QPen(m_colors.text, 2));
        painter.drawRect(qRectOf(*m_chosen).adjusted(1, 1, -2, -2));
    }
    if (m_hovered) {
        painter.setPen(m_colors.text);
        painter.drawRect(qRectOf(*m_hovered).adjusted(0, 0, -1, -1));
    }
}

std::optional<TreemapChart::Place> TreemapChart::placeAt(const QPointF& position) const
{
    for (std::uint32_t i = 0; i < m_layout.groups.size(); ++i) {
        if (!m_layout.groups[i].contains(position.x(), position.y()))
            continue;
        for (std::size_t tile = 0; tile < m_layout.tiles.size(); ++tile)
            if (m_layout.tiles[tile].group == i
                && m_layout.tiles[tile].place.contains(position.x(), position.y()))
                return Place{contentGroup(i), tile, m_layout.tiles[tile].place};
        return Place{contentGroup(i), std::nullopt, m_layout.groups[i]};
    }
    return std::nullopt;
}

std::vector<AllocationIndex> TreemapChart::allocationsOf(const TreemapTile& tile) const
{
    const std::vector<TreemapContent::Site>& sites = m_content->groups[contentGroup(tile.group)].sites;
    std::vector<AllocationIndex> members;
    for (std::uint32_t i = tile.firstPart; i < tile.firstPart + tile.partCount; ++i)
        members.insert(members.end(), sites[i].allocations.begin(), sites[i].allocations.end());
    return members;
}

QString TreemapChart::tip(const Place& place) const
{
    const TreemapContent::Group& group = m_content->groups[place.group];
    const auto figures = [this](Bytes bytes, std::int64_t count) {
        return tr("%1 in %2, %3 of the whole")
            .arg(bytesText(bytes), countedText(count, "allocation", "allocations"),
                QString::fromStdString(formatShare(bytes, m_content->total.bytes)));
    };
    std::int64_t groupCount = 0;
    for (const TreemapContent::Site& site : group.sites)
        groupCount += static_cast<std::int64_t>(site.allocations.size());
    const QString groupText
        = group.name.title + QLatin1Char('\n') + figures(m_content->sizes[place.group].bytes, groupCount);
    if (!place.tile)
        return groupText;
    const TreemapTile& tile = m_layout.tiles[*place.tile];
    const QString title = tile.partCount == 1
        ? nameOf(tile).title
        : tr("%1 too small to show").arg(countedText(tile.partCount, "call site", "call sites"));
    const QString text = title + QLatin1Char('\n')
        + figures(tile.bytes, static_cast<std::int64_t>(allocationsOf(tile).size()))
        + (isKept(tile) ? tr("\nKept from earlier steps") : QString());
    return m_content->hasTitles ? text + QStringLiteral("\n\n") + groupText : text;
}

void TreemapChart::choose(const Place& place)
{
    m_chosen = place.rectangle;
    m_currentGroup = place.group;
    update();
    emit chosen(place.group,
        place.tile ? allocationsOf(m_layout.tiles[*place.tile]) : std::vector<AllocationIndex>());
}

void TreemapChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    if (const auto place = placeAt(event->position()))
        choose(*place);
}

void TreemapChart::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto place = placeAt(event->position());
    if (!place || event->button() != Qt::LeftButton)
        return;
    if (place->tile)
        emit opened(allocationsOf(m_layout.tiles[*place->tile]).front());
    else
        setFocusGroup(m_focus == kNoGroup ? place->group : kNoGroup);
}

void TreemapChart::mouseMoveEvent(QMouseEvent* event)
{
    const auto place = placeAt(event->position());
    m_hovered = place ? std::optional(place->rectangle) : std::nullopt;
    setCursor(place ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void TreemapChart::leaveEvent(QEvent*)
{
    m_hovered.reset();
    update();
}

bool TreemapChart::event(QEvent* event)
{
    const auto tipAt = [this](const QPoint& position) {
        const auto place = placeAt(position);
        return place ? tip(*place) : QString();
    };
    return keepKeys(*event, {Qt::Key_Left, Qt::Key_Right}) || showTip(*event, *this, tipAt)
        || QWidget::event(event);
}

void TreemapChart::moveCurrent(int by)
{
    const auto count = static_cast<std::int64_t>(m_layout.groups.size());
    if (count == 0 || m_focus != kNoGroup)
        return;
    const std::int64_t next = m_currentGroup == kNoGroup
        ? 0
        : std::clamp<std::int64_t>(std::int64_t{m_currentGroup} + by, 0, count - 1);
    const auto group = static_cast<std::uint32_t>(next);
    choose({group, std::nullopt, m_layout.groups[group]});
}

void TreemapChart::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down: return moveCurrent(1);
    case Qt::Key_Left:
    case Qt::Key_Up: return moveCurrent(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter: setFocusGroup(m_focus == kNoGroup ? m_currentGroup : kNoGroup); return;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace highwater::gui
