#include "app/views/steps/step_chart.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QMouseEvent>
#include <QStringList>
#include <QWheelEvent>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {
constexpr double kZoomStep = 0.85;
constexpr double kFewestSteps = 2; ///< in view at the deepest zoom
} // namespace

StepChart::StepChart(QWidget* parent)
    : FigureView(parent)
{
    setObjectName(QStringLiteral("stepChart"));
    setMaker([this](const FigureOptions& options) { return figureOf(options); });
}

Figure StepChart::figureOf(const FigureOptions& options)
{
    if (!m_analysis)
        return {};
    m_bars = barsInFigure(m_analysis->study, m_shown, options);
    emit barsChanged();
    return stepsFigure(m_analysis->study, m_analysis->atStepPeaks, m_shown, options, m_notes);
}

void StepChart::setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis)
{
    m_analysis = std::move(analysis);
    m_selectedStep.reset();
    m_press.reset();
    m_stepsInView = static_cast<double>(stepCount());
    setFirst(0);
}

void StepChart::setFirst(double step)
{
    const auto count = static_cast<std::size_t>(std::lround(m_stepsInView));
    const double farthest = static_cast<double>(stepCount() - std::min(count, stepCount()));
    m_shown.first = static_cast<std::size_t>(std::clamp(std::round(step), 0.0, farthest));
    m_shown.last = m_shown.first + count;
    make();
    markSelected();
}

void StepChart::markSelected()
{
    std::optional<int> id;
    for (const StepBar& bar : m_bars)
        if (m_selectedStep && *m_selectedStep >= bar.first && *m_selectedStep < bar.last)
            id = static_cast<int>(bar.shown);
    FigureView::setSelected(id);
}

void StepChart::setCapacity(const std::optional<DeviceCapacity>& capacity)
{
    m_shown.capacity = capacity;
    make();
}

void StepChart::setShowsDifferences(bool shows)
{
    m_shown.showsDifferences = shows;
    make();
}

bool StepChart::showsCapacity() const
{
    return m_analysis && m_shown.capacity
        && isNear(*m_shown.capacity, std::max(m_analysis->curve.peak().bytes, Bytes{1}));
}

void StepChart::setSelected(std::optional<std::size_t> step)
{
    m_selectedStep = step;
    if (step && (*step < m_shown.first || *step >= m_shown.last))
        setFirst(static_cast<double>(*step) - m_stepsInView / 2);
    else
        markSelected();
}

void StepChart::setNotes(std::vector<NoteFlag> notes)
{
    m_notes = std::move(notes);
    make();
}

std::optional<std::size_t> StepChart::stepAt(const QPoint& position) const
{
    const std::optional<int> id = idAt(position);
    return id ? std::optional(static_cast<std::size_t>(*id)) : std::nullopt;
}

QRectF StepChart::plotRect() const
{
    return ids().empty() ? QRectF() : rectOf(ids().front()) | rectOf(ids().back());
}

void StepChart::wheelEvent(QWheelEvent* event)
{
    const QRectF plot = plotRect();
    if (plot.isEmpty())
        return;
    const auto stepsInAll = static_cast<double>(stepCount());
    const double share = std::clamp((event->position().x() - plot.left()) / plot.width(), 0.0, 1.0);
    const double place = static_cast<double>(m_shown.first) + share * m_stepsInView;
    m_stepsInView = std::clamp(m_stepsInView * std::pow(kZoomStep, event->angleDelta().y() / 120.0),
        std::min(kFewestSteps, stepsInAll), stepsInAll);
    setFirst(place - share * m_stepsInView);
    event->accept();
}

void StepChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_press = Press{event->position(), m_shown.first, false};
}

void StepChart::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_press)
        return FigureView::mouseMoveEvent(event);
    const QPointF moved = event->position() - m_press->position;
    m_press->isDrag = m_press->isDrag || moved.manhattanLength() >= QApplication::startDragDistance();
    if (const QRectF plot = plotRect(); m_press->isDrag && !plot.isEmpty())
        setFirst(static_cast<double>(m_press->first) - moved.x() / plot.width() * m_stepsInView);
}

void StepChart::mouseReleaseEvent(QMouseEvent* event)
{
    const std::optional<Press> press = std::exchange(m_press, std::nullopt);
    if (press && !press->isDrag && event->button() == Qt::LeftButton)
        click(event->position());
}

/// Returns the number of steps of each bar but the outer ones, which may have fewer.
std::int64_t StepChart::stepsPerBar() const
{
    std::size_t most = 0;
    for (const StepBar& bar : m_bars)
        most = std::max(most, bar.last - bar.first);
    return static_cast<std::int64_t>(most);
}

QString StepChart::keyText() const
{
    const bool isOfSeveral = hasSharedBars(m_bars);
    const bool beginsAtZero = !m_shown.showsDifferences || !hasSmallDifferences();
    QStringList strokes{tr("▮ peak")};
    if (isOfSeveral)
        strokes[0] = tr("▮ each bar: %1 steps").arg(countText(stepsPerBar()));
    if (beginsAtZero)
        strokes << tr("━ end");
    if (isOfSeveral)
        strokes << tr("╍ median");
    else if (beginsAtZero)
        strokes << tr("╍ start");
    if (beginsAtZero && showsCapacity())
        strokes << QStringLiteral("┈ ") + toQString(limitName(*m_shown.capacity));
    const QString key = strokes.join(QStringLiteral(", "));
    return beginsAtZero
        ? key
        : key + tr("; the axis begins at %1").arg(bytesText(beginOfDifferences(m_analysis->steps.steps)));
}

} // namespace highwater::gui
