#include "app/views/compare/step_links.h"

#include <algorithm>

#include <QPainter>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/drawing/ticks.h"

namespace highwater::gui {

namespace {
/// Lines that would be closer than this on average, in pixels, are not drawn.
constexpr double kNarrowest = 6;
/// Steps that would be narrower than this on average, in pixels, are drawn as one box.
constexpr double kNarrowestBox = 14;
constexpr int kTickRoom = 110; ///< width of a tick with its label
} // namespace

StepLinks::StepLinks(const VisibleRange& range, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
{
    named(this, "stepLinks", tr("Matching steps of both runs"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&m_range, &VisibleRange::changed, this, qOverload<>(&QWidget::update));
}

void StepLinks::setLinks(std::vector<Link> links)
{
    m_links = std::move(links);
    m_lane.clear();
    update();
}

void StepLinks::setLane(std::vector<AxisMark> steps, double end)
{
    m_links.clear();
    m_lane = std::move(steps);
    m_laneEnd = end;
    update();
}

void StepLinks::setEdges(int left, int right)
{
    m_left = left;
    m_right = right;
    update();
}

void StepLinks::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

double StepLinks::xOf(double place) const
{
    const AxisWindow& x = m_range.x();
    return m_left + (place - x.begin) / x.width() * (m_right - m_left);
}

void StepLinks::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_colors.surface);
    painter.setFont(smallFont(font()));
    if (m_lane.empty())
        paintLinks(painter);
    else
        paintLane(painter);
}

/// Returns the step's name if it fits, else its number if that fits, else an empty text.
QString StepLinks::fittingLabel(const AxisMark& step, double width) const
{
    const QFontMetrics metrics(smallFont(font()));
    const QString name = toQString(step.label);
    for (const QString& text : {name, name.section(QLatin1Char(' '), -1)})
        if (metrics.horizontalAdvance(text) + 6 <= width)
            return text;
    return {};
}

void StepLinks::paintLane(QPainter& painter) const
{
    painter.setClipRect(m_left, 0, m_right - m_left, height());
    const AxisWindow& x = m_range.x();
    // If the steps are too narrow for a number, only round ones are named, as on an axis.
    const double stepWidth = (m_right - m_left) * (m_laneEnd - m_lane.front().position) / x.width()
        / static_cast<double>(m_lane.size());
    const bool isDense = stepWidth < kNarrowestBox;
    const auto next = std::ranges::upper_bound(m_lane, x.begin, {}, &AxisMark::position);
    const bool isOneStep = next == m_lane.end() || next->position >= x.end; // the ticks name it
    if (isDense)
        painter.fillRect(m_left, 1, m_right - m_left, height() - 2, m_colors.hover);
    else
        for (std::size_t i = 0; i < m_lane.size(); ++i) {
            const double left = xOf(m_lane[i].position);
            const double right = xOf(i + 1 < m_lane.size() ? m_lane[i + 1].position : m_laneEnd);
            if (right < m_left || left > m_right)
                continue;
            painter.fillRect(QRectF(left, 1, std::max(right - left - 1, 0.5), height() - 2), m_colors.hover);
            const QRectF room(std::max<double>(left, m_left), 0, 0, height());
            const QRectF visible = room.adjusted(0, 0, std::min<double>(right, m_right) - room.left(), 0);
            painter.setPen(m_colors.text);
            if (!isOneStep)
                painter.drawText(visible, Qt::AlignCenter, fittingLabel(m_lane[i], visible.width()));
        }
    if (isDense || isOneStep)
        paintTicks(painter);
}

/// Draws round steps, or round shares of the only step in view.
void StepLinks::paintTicks(QPainter& painter) const
{
    const AxisWindow& x = m_range.x();
    const Ticks ticks
        = markTicks(m_lane, m_laneEnd, x.begin, x.end, std::max(1, (m_right - m_left) / kTickRoom));
    for (std::size_t i = 0; i < ticks.positions.size(); ++i) {
        const double left = xOf(ticks.positions[i]);
        painter.fillRect(QRectF(left, 1, 1, height() - 2), m_colors.border);
        painter.setPen(m_colors.text);
        painter.drawText(QRectF(left + 3, 0, kTickRoom, height()), Qt::AlignLeft | Qt::AlignVCenter,
            toQString(ticks.labels[i]));
    }
}

void StepLinks::paintLinks(QPainter& painter) const
{
    const auto isInView = [this](const Link& link) {
        const auto [left, right] = std::minmax({xOf(link.above), xOf(link.below)});
        return right >= m_left && left <= m_right;
    };
    const auto shown = std::count_if(m_links.begin(), m_links.end(), isInView);
    if (static_cast<double>(shown) * kNarrowest > m_right - m_left)
        return;
    painter.setClipRect(m_left, 0, m_right - m_left, height());
    painter.setRenderHint(QPainter::Antialiasing);
    double freeFrom = m_left;
    for (const Link& link : m_links) {
        if (!isInView(link))
            continue;
        const double above = xOf(link.above);
        const double below = xOf(link.below);
        painter.setPen(QPen(m_colors.border, 1));
        painter.drawLine(QPointF(above, 0), QPointF(below, height()));
        const double left = std::max(above, below) + 5;
        const double width = painter.fontMetrics().horizontalAdvance(link.label);
        if (left < freeFrom)
            continue;
        painter.setPen(m_colors.quietText);
        painter.drawText(QRectF(left, 0, width + 2, height()), Qt::AlignVCenter, link.label);
        freeFrom = left + width + 12;
    }
}

} // namespace highwater::gui
