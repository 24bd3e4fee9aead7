#include "app/views/ranks/rank_heat_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr int kNameWidth = 84; ///< of ranks
constexpr int kTop = 6;
constexpr int kFewestRows = 4; ///< in view at the deepest zoom, unless there are fewer
constexpr double kZoomStep = 1.25;
constexpr double kNotch = 120; ///< angle of one notch of a wheel
constexpr double kScrollShare = 0.1; ///< share of the rows in view that one notch scrolls by
constexpr int kBarSteps = 10; ///< steps of the scroll bar per row

} // namespace

RankHeatView::RankHeatView(QWidget* parent)
    : QWidget(parent)
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    named(this, "rankHeat", tr("Largest total of each rank in each step"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setFont(smallFont(font()));
    m_bar->setAccessibleName(tr("Ranks in view"));
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        m_firstRow = static_cast<double>(value) / kBarSteps;
        redrawRows();
    });
}

void RankHeatView::setRanks(std::shared_ptr<const RunRanks> ranks)
{
    m_map.reset();
    m_ranks = std::move(ranks);
    if (m_ranks)
        m_map = std::make_unique<const RankHeatMap>(*m_ranks);
    m_hovered.reset();
    m_current.reset();
    m_sheet = QPixmap();
    measureKey();
    showRows(0, m_map ? static_cast<double>(m_map->rows()) : 1);
}

void RankHeatView::setSelected(std::optional<std::size_t> rank)
{
    m_selected = rank;
    update();
}

void RankHeatView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    redraw();
}

QRectF RankHeatView::plotRect() const
{
    const int lineCount = 1 + m_key.lineCount;
    const int below = lineCount * fontMetrics().height() + (m_key.lineCount > 0 ? 16 : 6);
    const int bar = m_bar->isVisibleTo(this) ? m_bar->width() + 2 : 0;
    return {static_cast<double>(kNameWidth), static_cast<double>(kTop),
        std::max(10.0, static_cast<double>(width() - kNameWidth - 8 - bar)),
        std::max(10.0, static_cast<double>(height() - kTop - below))};
}

HeatSpan RankHeatView::rowsInView() const
{
    if (isEmpty())
        return {};
    const auto first = static_cast<std::size_t>(std::floor(m_firstRow + 1e-9));
    return {
        first, std::min(m_map->rows(), static_cast<std::size_t>(std::ceil(m_firstRow + m_rowCount - 1e-9)))};
}

void RankHeatView::showRows(double first, double count)
{
    const double allRows = isEmpty() ? 1 : static_cast<double>(m_map->rows());
    m_rowCount = std::clamp(count, std::min<double>(kFewestRows, allRows), allRows);
    m_firstRow = std::clamp(first, 0.0, allRows - m_rowCount);
    const double width = plotRect().width();
    updateBar();
    if (plotRect().width() == width)
        redrawRows();
    else
        redraw();
}

void RankHeatView::updateBar()
{
    const double allRows = isEmpty() ? 1 : static_cast<double>(m_map->rows());
    const QSignalBlocker quiet(m_bar);
    m_bar->setVisible(m_rowCount < allRows);
    m_bar->setRange(0, static_cast<int>((allRows - m_rowCount) * kBarSteps));
    m_bar->setPageStep(static_cast<int>(m_rowCount * kBarSteps));
    m_bar->setSingleStep(std::max(1, static_cast<int>(m_rowCount * kBarSteps * kScrollShare)));
    m_bar->setValue(static_cast<int>(m_firstRow * kBarSteps));
    const QRectF plot = plotRect();
    m_bar->setGeometry(width() - m_bar->sizeHint().width(), static_cast<int>(plot.top()),
        m_bar->sizeHint().width(), static_cast<int>(plot.height()));
}

double RankHeatView::xOf(double column) const
{
    const QRectF plot = plotRect();
    return plot.left() + plot.width() * column / static_cast<double>(m_map->columns());
}

std::optional<QPointF> RankHeatView::pointOf(std::size_t rank, std::size_t column) const
{
    if (isEmpty() || m_map->rowOf(rank) == RankHeatMap::kNoRow || column >= m_map->columns())
        return std::nullopt;
    const QPointF centre(
        xOf(static_cast<double>(column) + 0.5), yOf(static_cast<double>(m_map->rowOf(rank)) + 0.5));
    return plotRect().contains(centre) ? std::optional(centre) : std::nullopt;
}

/// Returns the ranks and steps that share the pixel at this position.
std::optional<RankHeatView::Cell> RankHeatView::cellAt(const QPointF& position) const
{
    const QRectF plot = plotRect();
    if (isEmpty() || !plot.contains(position))
        return std::nullopt;
    const auto span = [](double first, double size, std::size_t count) {
        const auto begin = std::min(count - 1, static_cast<std::size_t>(std::max(first, 0.0)));
        const auto end = static_cast<std::size_t>(std::ceil(first + std::max(size, 0.0) - 1e-9));
        return HeatSpan{begin, std::clamp(end, begin + 1, count)};
    };
    const double row = m_firstRow + (std::floor(position.y()) - plot.top()) / rowHeight();
    const double columnsPerPixel = static_cast<double>(m_map->columns()) / plot.width();
    const double column = (std::floor(position.x()) - plot.left()) * columnsPerPixel;
    return Cell{span(rowHeight() >= 1 ? m_firstRow + (position.y() - plot.top()) / rowHeight() : row,
                    rowHeight() >= 1 ? 0 : 1 / rowHeight(), m_map->rows()),
        span(columnsPerPixel <= 1 ? (position.x() - plot.left()) * columnsPerPixel : column,
            columnsPerPixel <= 1 ? 0 : columnsPerPixel, m_map->columns())};
}

std::optional<RankHeatView::Cell> RankHeatView::describedCell() const
{
    return m_hovered ? m_hovered : m_current;
}

QString RankHeatView::readout() const
{
    const std::optional<Cell> cell = describedCell();
    return cell ? toQString(m_map->titleOf(cell->rows, cell->columns)) : QString();
}

std::size_t RankHeatView::highestRank(const Cell& cell) const
{
    std::size_t highestRow = cell.rows.first;
    for (std::size_t row = cell.rows.first; row < cell.rows.last; ++row)
        if (m_map->highestOf({row, row + 1}, cell.columns)
            > m_map->highestOf({highestRow, highestRow + 1}, cell.columns))
            highestRow = row;
    return m_map->rankAt(highestRow);
}

QRectF RankHeatView::boxOf(const Cell& cell) const
{
    const double top = yOf(static_cast<double>(cell.rows.first));
    const double left = xOf(static_cast<double>(cell.columns.first));
    return QRectF(left, top, std::max(3.0, xOf(static_cast<double>(cell.columns.last)) - left),
        std::max(3.0, yOf(static_cast<double>(cell.rows.last)) - top))
        .intersected(plotRect().adjusted(-1, -1, 1, 1));
}

QRectF RankHeatView::readoutRect() const
{
    // The text is in the lowest line: to the right of the scale of colours if there is room, else in its
    // place.
    constexpr double leastRoom = 240;
    const double beside = m_key.left + m_key.width + 12;
    const bool isBeside = m_key.lineCount == 1 && width() - 8 - beside >= leastRoom;
    const double begin = isBeside ? beside : m_key.lineCount > 0 ? m_key.left : plotRect().left();
    return {begin, static_cast<double>(height() - fontMetrics().height() - 4), width() - begin - 8,
        static_cast<double>(fontMetrics().height())};
}

/// Repaints the outline of the described cell and the text about it; nothing else depends on the pointer.
void RankHeatView::updateMark()
{
    const std::optional<Cell> cell = describedCell();
    if (!cell)
        return;
    update(boxOf(*cell).adjusted(-2, -2, 2, 2).toAlignedRect());
    update(readoutRect().toAlignedRect());
}

void RankHeatView::redraw()
{
    m_sheet = QPixmap();
    measureKey();
    redrawRows();
}

void RankHeatView::redrawRows()
{
    m_picture = QPixmap();
    update();
}

void RankHeatView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    redraw();
    updateBar();
}

void RankHeatView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        redraw();
}

void RankHeatView::mousePressEvent(QMouseEvent* event)
{
    const std::optional<Cell> cell = cellAt(event->position());
    if (!cell || event->button() != Qt::LeftButton)
        return;
    m_current = cell;
    update();
    emit chosen(highestRank(*cell), cell->columns.first);
}

void RankHeatView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const std::optional<Cell> cell = cellAt(event->position());
    if (cell && event->button() == Qt::LeftButton)
        emit doubleClicked(highestRank(*cell), cell->columns.first);
}

void RankHeatView::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<Cell> cell = cellAt(event->position());
    if (cell == m_hovered)
        return;
    updateMark();
    m_hovered = cell;
    updateMark();
}

void RankHeatView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    m_hovered.reset();
    update();
}

void RankHeatView::zoomAt(double y, double factor)
{
    const double share = std::clamp((y - plotRect().top()) / plotRect().height(), 0.0, 1.0);
    const double row = m_firstRow + share * m_rowCount;
    const double previousCount = m_rowCount;
    m_rowCount = previousCount / factor;
    showRows(row - share * std::max(m_rowCount, std::min<double>(kFewestRows, previousCount)), m_rowCount);
}

void RankHeatView::wheelEvent(QWheelEvent* event)
{
    if (isEmpty())
        return;
    const QPoint angle = event->angleDelta();
    const double notches = (angle.y() != 0 ? angle.y() : angle.x()) / kNotch;
    m_hovered = cellAt(event->position());
    if (event->modifiers().testFlag(Qt::ShiftModifier) || angle.y() == 0)
        showRows(m_firstRow - notches * m_rowCount * kScrollShare, m_rowCount);
    else
        zoomAt(event->position().y(), std::pow(kZoomStep, notches));
    m_hovered = cellAt(event->position());
    event->accept();
}

/// Moves to another cell and scrolls it into view.
void RankHeatView::moveCurrent(int rows, int columns)
{
    const std::size_t row = m_current ? m_current->rows.first : rowsInView().first;
    const std::size_t column = m_current ? m_current->columns.first : 0;
    const auto moved = [](std::size_t index, int by, std::size_t count) {
        const auto target = static_cast<std::ptrdiff_t>(index) + by;
        return static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(target, 0, static_cast<std::ptrdiff_t>(count) - 1));
    };
    const std::size_t newRow = m_current ? moved(row, rows, m_map->rows()) : row;
    const std::size_t newColumn = m_current ? moved(column, columns, m_map->columns()) : column;
    m_current = Cell{{newRow, newRow + 1}, {newColumn, newColumn + 1}};
    m_hovered.reset();
    const auto top = static_cast<double>(newRow);
    if (top < m_firstRow)
        showRows(top, m_rowCount);
    else if (top + 1 > m_firstRow + m_rowCount)
        showRows(top + 1 - m_rowCount, m_rowCount);
    update();
}

void RankHeatView::keyPressEvent(QKeyEvent* event)
{
    if (isEmpty())
        return QWidget::keyPressEvent(event);
    const int page = std::max(1, static_cast<int>(m_rowCount * 0.9));
    const double middle = plotRect().center().y();
    switch (event->key()) {
    case Qt::Key_Up: return moveCurrent(-1, 0);
    case Qt::Key_Down: return moveCurrent(1, 0);
    case Qt::Key_Left: return moveCurrent(0, -1);
    case Qt::Key_Right: return moveCurrent(0, 1);
    case Qt::Key_PageUp: return moveCurrent(-page, 0);
    case Qt::Key_PageDown: return moveCurrent(page, 0);
    case Qt::Key_Home: return moveCurrent(-static_cast<int>(m_map->rows()), 0);
    case Qt::Key_End: return moveCurrent(static_cast<int>(m_map->rows()), 0);
    case Qt::Key_Plus: return zoomAt(middle, kZoomStep);
    case Qt::Key_Minus: return zoomAt(middle, 1 / kZoomStep);
    case Qt::Key_0: return showRows(0, static_cast<double>(m_map->rows()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current)
            emit chosen(highestRank(*m_current), m_current->columns.first);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

/// Keeps the keys of the map from the timeline, which uses the same keys as shortcuts, while the map has the
/// focus.
bool RankHeatView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && !isEmpty()) {
        constexpr std::array keys{Qt::Key_Up, Qt::Key_Down, Qt::Key_Left, Qt::Key_Right, Qt::Key_PageUp,
            Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End, Qt::Key_Plus, Qt::Key_Minus, Qt::Key_0,
            Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space};
        const auto* const pressed = static_cast<QKeyEvent*>(event);
        const Qt::KeyboardModifiers changing
            = pressed->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
        if (!changing && std::ranges::find(keys, pressed->key()) != keys.end()) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

} // namespace highwater::gui
