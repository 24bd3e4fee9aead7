#include "app/views/pages/recording_page.h"

#include <algorithm>
#include <utility>

#include <QKeyEvent>
#include <QLabel>
#include <QLayout>
#include <QScrollBar>
#include <QStringList>

#include <qcustomplot.h>

#include "app/timeline/axis_tickers.h"
#include "app/timeline/lane_strip.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/scrolling.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text/sentence_text.h"
#include "core/study/run_study.h"

namespace highwater::gui {

namespace {
constexpr double kNarrowestNanoseconds = 1000;
constexpr int kRightMargin = 48;
constexpr int kMostTicks = 10;
/// Number of positions of the scroll bar.
constexpr int kScrollPositions = 10'000;
constexpr double kZoomStep = 1.25;
constexpr double kPanShare = 1.0 / 16;

QLabel* makeParagraph(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setContentsMargins(14, 6, 14, 6);
    return label;
}

/// Returns the importer's messages as sentences, the most serious first.
QString remarksOf(const ImportLog& log)
{
    QStringList sentences;
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Info})
        for (const ImportLogEntry& entry : log.entries())
            if (entry.severity == severity && !entry.message.empty()) {
                const QString message = toQString(entry.message);
                sentences << message.at(0).toUpper() + message.mid(1) + QLatin1Char('.');
            }
    return sentences.join(QLatin1Char('\n'));
}
} // namespace

RecordingPage::RecordingPage(QWidget* parent)
    : Page(parent)
    , m_title(makeParagraph(this))
    , m_remarks(makeParagraph(this))
    , m_lanes(new LaneStrip(m_range))
    , m_axis(new QCustomPlot(this))
    , m_panner(new QScrollBar(Qt::Horizontal, this))
{
    named(this, "recordingPage", tr("Recording"));
    setFocusPolicy(Qt::StrongFocus);
    m_title->setObjectName(QStringLiteral("recordingTitle"));
    m_remarks->setObjectName(QStringLiteral("recordingRemarks"));
    m_lanes->setAccessibleName(tr("Ranges, marks and operators over time"));
    m_panner->setAccessibleName(tr("Position in the recording"));
    makeBold(*m_title, 1.25);
    layOut();
    connect(&m_range, &VisibleRange::changed, this, &RecordingPage::followRange);
    connect(m_panner, &QScrollBar::valueChanged, this, &RecordingPage::scrollTo);
    // The number of ticks that fit is only known after the layout.
    connect(m_axis, &QCustomPlot::afterLayout, this, [this] {
        if (std::exchange(m_axisWidth, m_axis->axisRect()->width()) != m_axisWidth)
            followRange();
    });
}

void RecordingPage::layOut()
{
    QScrollArea* area = makeScrollArea(m_lanes, this);
    m_axis->axisRect()->setAutoMargins(QCP::msNone);
    m_axis->setInteractions(QCP::Interactions());
    m_axis->setFixedHeight(2 * fontMetrics().height() + 18);
    m_axis->yAxis->setVisible(false);
    m_axis->xAxis->grid()->setVisible(false);
    setTicks(*m_axis->xAxis, durationTicks);
    m_axis->xAxis->setLabel(tr("time since the first range"));
    m_axis->xAxis->setTickLabelFont(font());
    m_axisTexts.setFont(font());
    m_axis->xAxis->setLabelFont(font());
    // The axis is next to the lanes; what they leave free is below it.
    connect(
        m_lanes, &LaneStrip::lanesChanged, area, [this, area] { area->setMaximumHeight(m_lanes->height()); });
    layColumn(this, {m_title, m_remarks, {area, 1000}, m_axis, m_panner, Part::space(1)}, {{0, 6, 0, 0}, 0});
}

void RecordingPage::show(std::shared_ptr<const Document> document)
{
    m_document = std::move(document);
    const Trace& trace = m_document->trace();
    m_title->setText(tr("No memory events in %1").arg(toQString(m_document->fileName())));
    m_remarks->setText(remarksOf(trace.log));
    const auto [begin, end] = recordedTime(trace).value_or(std::pair<Nanoseconds, Nanoseconds>(0, 0));
    const EventScale scale(begin, end);
    m_lanes->showRecording(recordedLaneTable(trace), scale);
    fitEdges();
    m_range.setLimits(scale.begin(), std::max(scale.end(), kNarrowestNanoseconds), kNarrowestNanoseconds, 1);
    followRange();
    emit changed();
}

void RecordingPage::showDiagnosis(const RunStudy* run)
{
    if (!run || !m_document || &run->trace() != &m_document->trace())
        return;
    const Diagnosis& diagnosis = run->diagnosis();
    m_title->setText(toQString(diagnosis.sentence));
    if (m_remarks->text().isEmpty())
        m_remarks->setText(toQString(fullSentence(diagnosis.next)));
    layout()->activate(); // the texts may have another height now
}

std::vector<NoteSubject> RecordingPage::subjects() const
{
    return m_document ? std::vector{NoteSubject{NoteRun::After, m_document, nullptr}}
                      : std::vector<NoteSubject>();
}

void RecordingPage::setColors(const ThemeColors& colors)
{
    m_lanes->setColors(colors);
    m_axis->setBackground(QBrush(colors.surface));
    setAxisColors(*m_axis->xAxis, colors);
    m_axis->replot(QCustomPlot::rpQueuedReplot);
}

/// Sets the left edge of lanes and axis, so that the longest name of a lane fits.
void RecordingPage::fitEdges()
{
    int left = 60;
    if (const std::shared_ptr<const LaneTable>& table = m_lanes->lanes())
        for (const LaneRow& row : table->rows)
            left = std::max(left, fontMetrics().horizontalAdvance(row.name) + 20);
    m_lanes->setEdges(left, std::max(left + 1, width() - kRightMargin));
    m_axis->axisRect()->setMargins(QMargins(left, 0, kRightMargin, m_axis->height() - 1));
    followRange();
}

void RecordingPage::followRange()
{
    const AxisWindow& x = m_range.x();
    m_axis->xAxis->setRange(x.begin, x.end);
    fitTicks(*m_axis->xAxis, kMostTicks, m_axisTexts);
    m_axis->replot(QCustomPlot::rpQueuedReplot);
    const double perPosition = (x.highest - x.lowest) / kScrollPositions;
    const int page = qBound(1, qRound(x.width() / perPosition), kScrollPositions);
    m_isFollowing = true;
    m_panner->setPageStep(page);
    m_panner->setSingleStep(std::max(1, page / 16));
    m_panner->setRange(0, kScrollPositions - page);
    m_panner->setValue(qRound((x.begin - x.lowest) / perPosition));
    m_isFollowing = false;
}

void RecordingPage::scrollTo(int position)
{
    if (m_isFollowing)
        return;
    const AxisWindow x = m_range.x();
    const double begin = x.lowest + (x.highest - x.lowest) * position / kScrollPositions;
    m_range.setX(begin, begin + x.width());
}

void RecordingPage::keyPressEvent(QKeyEvent* event)
{
    const AxisWindow x = m_range.x();
    const double middle = (x.begin + x.end) / 2;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_range.zoomX(middle, 1 / kZoomStep); break;
    case Qt::Key_Minus: m_range.zoomX(middle, kZoomStep); break;
    case Qt::Key_0: m_range.fit(); break;
    case Qt::Key_Left: m_range.pan(-x.width() * kPanShare, 0); break;
    case Qt::Key_Right: m_range.pan(x.width() * kPanShare, 0); break;
    default: QWidget::keyPressEvent(event);
    }
}

void RecordingPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitEdges();
}

} // namespace highwater::gui
