#include "app/timeline/highlight_chip.h"

#include <algorithm>
#include <utility>

#include <QMouseEvent>
#include <QPainter>

#include "app/timeline/parts/label_recorder.h"
#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr int kHeight = 24;
constexpr int kChipMargin = 10;
constexpr int kChipSwatch = 9;
constexpr int kChipGap = 6;
constexpr int kCross = 8;

/// Returns the most bytes of these allocations that are in use at a time. O(n log n) for n of them.
Bytes mostAtATime(const DeviceAnalysis& analysis, const std::vector<bool>& members)
{
    std::vector<std::pair<std::int64_t, Bytes>> changes;
    for (AllocationIndex i = 0; i < members.size(); ++i) {
        if (!members[i])
            continue;
        changes.emplace_back(analysis.allocations.birth(i), analysis.allocations.bytes(i));
        if (const std::int64_t death = analysis.allocations.death(i); death != AllocationTable::kNeverFreed)
            changes.emplace_back(death, -analysis.allocations.bytes(i));
    }
    std::ranges::sort(changes);
    Bytes now = 0;
    Bytes most = 0;
    for (const auto& [event, bytes] : changes)
        most = std::max(most, now += bytes);
    return most;
}

} // namespace

HighlightChip::HighlightChip(const BandView& bands, QWidget* plot)
    : QWidget(plot)
    , m_bands(bands)
    , m_colors(ThemeColors::light())
{
    setObjectName(QStringLiteral("highlightChip"));
    setAccessibleName(tr("Highlighted allocations"));
    setToolTip(tr("Click to end the highlight (Esc: also the pin)"));
    setCursor(Qt::PointingHandCursor);
    hide();
    connect(&m_bands, &BandView::changed, this, &HighlightChip::followBands);
}

void HighlightChip::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    m_shown.reset();
    followBands(); // the swatch has a colour of the theme
}

/// Counts the emphasised allocations that are live at the peak. With `countsAll`, or if none is live there,
/// counts all and gives the most bytes in use at a time. O(n log n) for n emphasised ones, and
/// O(allocations).
HighlightChip::Figures HighlightChip::countEmphasized(
    const DeviceAnalysis& analysis, const std::vector<bool>& emphasis, bool countsAll)
{
    const auto countOf = [&](bool atPeakOnly) {
        Figures figures;
        for (AllocationIndex i = 0; i < emphasis.size(); ++i) {
            if (!emphasis[i] || (atPeakOnly && !analysis.allocations.isLiveAt(i, analysis.figures.peakEvent)))
                continue;
            if (figures.count == 0)
                figures.first = i;
            figures.isOneSite = figures.isOneSite && analysis.sites.of(i) == analysis.sites.of(figures.first);
            figures.bytes += analysis.allocations.bytes(i);
            ++figures.count;
        }
        return figures;
    };
    Figures all = countOf(false);
    Figures atPeak = countOf(true);
    atPeak.total = all.count;
    if (!countsAll && atPeak.count > 0)
        return atPeak;
    const Bytes most = mostAtATime(analysis, emphasis);
    all.isMostAtATime = most != std::exchange(all.bytes, most);
    return all;
}

void HighlightChip::followBands()
{
    const std::shared_ptr<const std::vector<bool>>& emphasis = m_bands.emphasis();
    if (emphasis == m_shown)
        return;
    m_shown = emphasis;
    m_countTask.drop();
    m_text.clear();
    if (!emphasis || !m_bands.analysis()) {
        hide();
        emit resized();
        return;
    }
    // Named allocations have their figures elsewhere on screen, so all of them are counted here too.
    const bool isNamed = !m_bands.highlightName().isEmpty();
    m_countTask.run([this, emphasis, isNamed, analysis = m_bands.analysis()]() -> LatestTask::Delivery {
        return [this, analysis, figures = countEmphasized(*analysis, *emphasis, isNamed)] {
            show(analysis, figures);
        };
    });
}

void HighlightChip::countNow()
{
    const std::shared_ptr<const std::vector<bool>>& emphasis = m_bands.emphasis();
    m_countTask.drop();
    m_shown = emphasis;
    if (emphasis && m_bands.analysis())
        show(m_bands.analysis(),
            countEmphasized(*m_bands.analysis(), *emphasis, !m_bands.highlightName().isEmpty()));
}

void HighlightChip::show(const std::shared_ptr<const DeviceAnalysis>& analysis, const Figures& figures)
{
    const bool isOneSite = figures.isOneSite && figures.count > 0;
    m_subject = m_bands.highlightName();
    if (m_subject.isEmpty())
        m_subject = isOneSite ? toQString(analysis->sites.site(analysis->sites.of(figures.first)).label)
                              : tr("highlighted");
    const QString allocations = countedText(figures.count, "allocation", "allocations");
    m_text = figures.count == 0 ? tr("%1: none in this run").arg(m_subject)
        : figures.total > figures.count
        ? tr("%1 · %2 of %3 in use at the run's peak · %4")
              .arg(m_subject, countText(figures.count),
                  countedText(figures.total, "allocation", "allocations"), bytesText(figures.bytes))
        : figures.isMostAtATime
        ? tr("%1 · %2 · up to %3 at a time").arg(m_subject, allocations, bytesText(figures.bytes))
        : QStringLiteral("%1 · %2 · %3").arg(m_subject, allocations, bytesText(figures.bytes));
    m_swatch = isOneSite && m_bands.palette()
        ? QColor::fromRgb(m_bands.palette()->shade(figures.first, m_colors.ground()))
        : m_colors.accent;
    setAccessibleDescription(m_text);
    resize(sizeHint());
    setVisible(true);
    raise();
    update();
    emit resized();
}

int HighlightChip::textWidth() const
{
    return fontMetrics().horizontalAdvance(m_text) + 2; // or rounding would cut the text
}

/// Returns the text, with a shorter subject if the whole does not fit.
QString HighlightChip::fittingText(int room) const
{
    if (textWidth() <= room)
        return m_text;
    const QString figures = m_text.mid(m_subject.size());
    const int left = room - fontMetrics().horizontalAdvance(figures);
    return fontMetrics().elidedText(
        fontMetrics().elidedText(m_subject, Qt::ElideMiddle, left) + figures, Qt::ElideRight, room);
}

void HighlightChip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && isVisible())
        emit resized(); // the plot gives it the width of the text
}

QSize HighlightChip::sizeHint() const
{
    return {2 * kChipMargin + kChipSwatch + kChipGap + textWidth() + kChipGap + kCross,
        std::max(kHeight, fontMetrics().height() + 6)};
}

void HighlightChip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_colors.accentSoft);
    painter.drawRoundedRect(rect(), height() / 2.0, height() / 2.0);
    painter.fillRect(QRect(kChipMargin, (height() - kChipSwatch) / 2, kChipSwatch, kChipSwatch), m_swatch);
    const QRect room(kChipMargin + kChipSwatch + kChipGap, 0,
        width() - 2 * kChipMargin - kChipSwatch - 2 * kChipGap - kCross, height());
    const QString shown = fittingText(room.width());
    painter.setPen(m_colors.text);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
    painter.setPen(QPen(m_colors.quietText, 1.25));
    const QPointF middle(width() - kChipMargin - kCross / 2.0, height() / 2.0);
    constexpr double half = kCross / 2.0 - 0.5;
    painter.drawLine(middle + QPointF(-half, -half), middle + QPointF(half, half));
    painter.drawLine(middle + QPointF(-half, half), middle + QPointF(half, -half));
    if (LabelRecorder* recorder = LabelRecorder::current())
        recorder->record({shown, QRectF(geometry()), QRectF(parentWidget()->rect()), m_colors.text,
            m_colors.accentSoft, m_text});
}

void HighlightChip::mousePressEvent(QMouseEvent* event)
{
    event->accept();
}

void HighlightChip::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        emit closed();
}

} // namespace highwater::gui
