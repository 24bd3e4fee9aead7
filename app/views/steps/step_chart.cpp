#include "app/views/steps/step_chart.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>

#include <qcustomplot.h>

#include "app/timeline/axis_tickers.h"
#include "app/views/steps/step_bars_layer.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr double kNarrowestBar = 4; ///< pixels; with less, steps share bars
constexpr double kHeadroom = 1.12;
constexpr double kHeadroomOfCapacity = 1.25; ///< its label is above its line
constexpr double kFewestSteps = 2; ///< in view at the deepest zoom

/// Whole step numbers, from 1 as people count.
class StepTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override
    {
        return std::max(1.0, cleanMantissa(range.size() / 8));
    }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return tick < 0 ? QString() : countText(static_cast<std::int64_t>(tick));
    }
};

} // namespace

StepChart::StepChart(QWidget* parent)
    : PlotWidget(parent)
    , m_bars(new StepBars(&canvas(), m_shown))
{
    setObjectName(QStringLiteral("stepChart"));
    setAccessibleName(tr("Peak of each step"));
    setAccessibleDescription(
        tr("One bar a step, stacked by category; the dotted line is what was live at the start of each "
           "step, the dashed one at its end."));
    setFocusPolicy(Qt::StrongFocus);
    canvas().setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    canvas().axisRect()->setRangeDrag(Qt::Horizontal);
    canvas().axisRect()->setRangeZoom(Qt::Horizontal);
    canvas().axisRect()->setMinimumMargins(QMargins(0, 6, 8, 0));
    canvas().yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new ByteTicker));
    canvas().yAxis->ticker()->setTickCount(4);
    canvas().xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new StepTicker));
    canvas().xAxis->setLabel(tr("step"));
    for (QCPAxis* axis : {canvas().xAxis, canvas().yAxis}) {
        axis->setSubTicks(false);
        axis->setTickLength(0, 3);
        axis->setTickLabelFont(font());
        axis->setLabelFont(font());
        axis->setLabelPadding(1);
    }
    canvas().xAxis->grid()->setVisible(false);
    setColors(ThemeColors::light());
    connect(
        canvas().xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &StepChart::keepInLimits);
}

void StepChart::setColors(const ThemeColors& colors)
{
    m_shown.colors = colors;
    canvas().setBackground(QBrush(colors.surface));
    for (QCPAxis* axis : {canvas().xAxis, canvas().yAxis}) {
        axis->setBasePen(QPen(colors.border));
        axis->setTickPen(QPen(colors.border));
        axis->setTickLabelColor(colors.quietText);
        axis->setLabelColor(colors.quietText);
        axis->grid()->setPen(QPen(colors.grid));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    replotLater();
}

double StepChart::stepCount() const
{
    return m_shown.analysis ? static_cast<double>(m_shown.analysis->steps.steps.size()) : 0;
}

void StepChart::setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis)
{
    m_shown.analysis = std::move(analysis);
    m_shown.selected.reset();
    setByteRange();
    canvas().xAxis->setRange(-0.5, std::max(stepCount(), 1.0) - 0.5);
    updateBars();
    replotLater();
}

void StepChart::setByteRange()
{
    const Bytes highest
        = m_shown.analysis ? std::max(m_shown.analysis->curve.peak().bytes, Bytes{1}) : Bytes{1};
    double top = static_cast<double>(highest) * kHeadroom;
    if (m_shown.capacity && isNear(*m_shown.capacity, highest))
        top = std::max(top, static_cast<double>(m_shown.capacity->bytes) * kHeadroomOfCapacity);
    canvas().yAxis->setRange(0, top);
}

void StepChart::setCapacity(const std::optional<DeviceCapacity>& capacity)
{
    m_shown.capacity = capacity;
    setByteRange();
    replotLater();
}

void StepChart::keepInLimits(const QCPRange& range)
{
    const double count = std::max(stepCount(), 1.0);
    const double width = std::clamp(range.size(), std::min(kFewestSteps, count), count);
    const double begin = std::clamp(range.center() - width / 2, -0.5, count - 0.5 - width);
    if (begin != range.lower || begin + width != range.upper) {
        const QSignalBlocker blocker(canvas().xAxis);
        canvas().xAxis->setRange(begin, begin + width);
    }
    updateBars();
}

void StepChart::updateBars()
{
    m_shown.bars.clear();
    if (!m_shown.analysis)
        return;
    const double count = stepCount();
    const auto first
        = static_cast<std::size_t>(std::clamp(std::floor(canvas().xAxis->range().lower + 0.5), 0.0, count));
    const auto last
        = static_cast<std::size_t>(std::clamp(std::ceil(canvas().xAxis->range().upper + 0.5), 0.0, count));
    const double most = std::max(1.0, canvas().axisRect()->width() / kNarrowestBar);
    m_shown.bars = stepBars(m_shown.analysis->steps.steps, first, last, static_cast<std::size_t>(most));
}

void StepChart::setSelected(std::optional<std::size_t> step)
{
    if (step == m_shown.selected)
        return;
    m_shown.selected = step;
    if (step && !canvas().xAxis->range().contains(static_cast<double>(*step)))
        canvas().xAxis->setRange(static_cast<double>(*step), canvas().xAxis->range().size(), Qt::AlignCenter);
    replotLater();
}

void StepChart::setNotes(std::vector<NoteFlag> notes)
{
    m_shown.notes = std::move(notes);
    std::ranges::stable_sort(m_shown.notes, {}, &NoteFlag::first);
    if (isVisible())
        replotLater();
}

const StepBar* StepChart::barAt(const QPoint& position) const
{
    if (!canvas().axisRect()->rect().contains(position))
        return nullptr;
    const double at = canvas().xAxis->pixelToCoord(position.x()) + 0.5;
    for (const StepBar& bar : m_shown.bars)
        if (at >= static_cast<double>(bar.first) && at < static_cast<double>(bar.last))
            return &bar;
    return nullptr;
}

std::optional<std::size_t> StepChart::stepAt(const QPoint& position) const
{
    const StepBar* const bar = barAt(position);
    return bar ? std::optional(bar->shown) : std::nullopt;
}

QRectF StepChart::barRect(std::size_t step) const
{
    for (const StepBar& bar : m_shown.bars) {
        if (step < bar.first || step >= bar.last)
            continue;
        const auto [left, right] = m_bars->edges(bar);
        const Bytes peak = m_shown.analysis->steps.steps[bar.shown].peakBytes;
        return {QPointF(left, canvas().yAxis->coordToPixel(static_cast<double>(peak))),
            QPointF(right, canvas().yAxis->coordToPixel(0))};
    }
    return {};
}

QString StepChart::tipOf(const StepBar& bar) const
{
    const Step& step = m_shown.analysis->steps.steps[bar.shown];
    QStringList lines;
    if (bar.last - bar.first > 1)
        lines
            << tr("The highest of %1 steps:").arg(countText(static_cast<std::int64_t>(bar.last - bar.first)));
    lines << tr("%1: peak %2 in %3")
                 .arg(toQString(step.name), bytesText(step.peakBytes), toQString(toText(step.peakPhase)));
    for (std::size_t i = kCategoryCount; i-- > 0;)
        if (const Bytes bytes = m_shown.analysis->categoriesAtStepPeaks[bar.shown][i]; bytes > 0)
            lines << QStringLiteral("    %1  %2")
                         .arg(bytesText(bytes), toQString(titleOf(static_cast<Category>(i))));
    lines << tr("from %1 at its start to %2 at its end")
                 .arg(bytesText(step.startBytes), bytesText(step.endBytes));
    for (const NoteFlag* note : m_shown.notesOn(bar))
        lines << tr("note %1: %2").arg(note->number).arg(toQString(note->title));
    return lines.join(QLatin1Char('\n'));
}

bool StepChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return PlotWidget::event(event);
    auto* const help = static_cast<QHelpEvent*>(event);
    if (const StepBar* const bar = barAt(help->pos()))
        QToolTip::showText(help->globalPos(), tipOf(*bar), this);
    else
        QToolTip::hideText();
    return true;
}

void StepChart::mousePressEvent(QMouseEvent* event)
{
    m_pressedAt = event->pos();
    PlotWidget::mousePressEvent(event);
}

void StepChart::mouseReleaseEvent(QMouseEvent* event)
{
    PlotWidget::mouseReleaseEvent(event);
    const bool dragged = (event->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    if (event->button() == Qt::LeftButton && !dragged)
        if (const std::optional<std::size_t> step = stepAt(event->pos()))
            emit stepClicked(*step);
}

void StepChart::mouseDoubleClickEvent(QMouseEvent* event)
{
    PlotWidget::mouseDoubleClickEvent(event);
    if (const std::optional<std::size_t> step = stepAt(event->pos()))
        emit stepDoubleClicked(*step);
}

void StepChart::resizeEvent(QResizeEvent* event)
{
    if (event->size().isEmpty()) // there is nothing to paint on
        return;
    PlotWidget::resizeEvent(event);
    updateBars();
    replotLater();
}

} // namespace highwater::gui
