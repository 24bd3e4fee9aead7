#include "app/views/pages/verdict_bar.h"

#include <algorithm>

#include <QTextDocument>
#include <QToolButton>

#include "app/views/charts/memory_gauge.h"
#include "app/views/pages/document_limits.h"
#include "app/views/pages/headline.h"
#include "app/views/pages/import_log_view.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/analysis/budget/gpu_fit.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/moment_words.h"
#include "core/analysis/diff/logs/log_diff_text.h"
#include "core/analysis/logs/log_failures.h"
#include "core/analysis/logs/series_pairs.h"
#include "core/base/text/sentence_text.h"
#include "core/figure/series_figure.h"
#include "core/report/model/finding_text.h"
#include "core/study/diagnosis/examination.h"
#include "core/study/run_study.h"
#include "core/trace/rehearsed.h"

namespace highwater::gui {

namespace {

/// Height in pixels, unless the headline needs more.
constexpr int kHeight = 44;
constexpr int kBarMargin = 16;
constexpr int kBarGap = 16;
constexpr int kNarrowestHeadline = 300; ///< pixels that a gauge must leave
constexpr int kHeadlineSlack = 4; ///< layouts may give a pixel or two less than asked for

/// Returns the place of the peak as far as it is known: "step 3, forward, event 7", "at the snapshot".
QString peakPlace(const DeviceAnalysis& analysis)
{
    const std::int64_t event = analysis.figures.peakEvent;
    if (!analysis.trace->metadata.hasHistory)
        return toQString(momentIn(*analysis.trace, event));
    QStringList parts;
    const StepTable& steps = analysis.steps;
    if (const auto step = steps.stepOf(event); step && steps.source != StepSource::Whole)
        parts << toQString(steps.nameInRun(*step));
    if (const Phase phase = analysis.phases.at(event); phase != Phase::Unknown)
        parts << toQString(toText(phase));
    parts << eventText(event);
    return parts.join(QStringLiteral(", "));
}

/// Returns the peak with its quantity and its place, and how many allocations are in use at it.
QString peakText(const DeviceAnalysis& analysis)
{
    const DeviceFigures& figures = analysis.figures;
    const bool inferred = analysis.allocations.hasInferred();
    const Bytes least = peakLowerBound(analysis.info(), figures);
    const QString quantity = toQString(inWords(analysis.quantity()))
        + (inferred ? VerdictBar::tr(", inferred (a lower bound)") : QString());
    const QString where
        = least > figures.peakBytes ? VerdictBar::tr("this much was in use at the end") : peakPlace(analysis);
    const QString format = analysis.trace->metadata.hasHistory
        ? VerdictBar::tr("%1 peak, %2: %3\n%4 in use at the peak, of %5")
        : VerdictBar::tr("%1 in use, %2: %3\n%4 in use, of %5");
    return format.arg(runPeakText(analysis, least), quantity, where,
        countedText(figures.peakLiveCount, "allocation", "allocations"),
        countText(static_cast<std::int64_t>(analysis.allocations.size())));
}

/// Returns the capacity, its source, and how far the peak of reserved memory was from it.
QString capacityText(const DeviceFigures& figures, const DeviceCapacity& capacity, bool isReservedExact)
{
    const bool isLeast = capacity.isLowerBound();
    QString text = (isLeast ? VerdictBar::tr("of ≥ %1 (from the out-of-memory error at %2)")
                            : VerdictBar::tr("of %1, %2"))
                       .arg(bytesText(capacity.bytes),
                           isLeast ? eventText(capacity.event) : toQString(sourceText(capacity)));
    const Bytes bytesAboveReserved = capacity.bytes - figures.reservedPeakBytes;
    if (isReservedExact && figures.reservedPeakBytes > 0 && bytesAboveReserved >= 0)
        text += (isLeast ? VerdictBar::tr("; at least %1 above reserved")
                         : VerdictBar::tr("; %1 above reserved"))
                    .arg(bytesText(bytesAboveReserved));
    else if (bytesAboveReserved < 0 && !isLeast)
        text += (isReservedExact ? VerdictBar::tr("; %1 less than was reserved")
                                 : VerdictBar::tr("; at least %1 less than was reserved"))
                    .arg(bytesText(-bytesAboveReserved));
    return text;
}

/// Returns a format for the capacity: "GPU %1", "GPU ≥ %1" for a lower bound, "process limit %1", "L4 %1" for
/// a chosen GPU, or one that says that the run was rehearsed, so that nobody takes a simulated GPU for a real
/// one.
QString capacityFormat(const Document& document, const DeviceCapacity& capacity)
{
    const TraceMetadata& metadata = document.trace().metadata;
    if (capacity.source == CapacitySource::ProcessLimit)
        return toQString(limitName(capacity)) + QStringLiteral(" %1");
    if (!capacity.gpu.empty())
        return toQString(capacity.gpu) + QStringLiteral(" %1");
    if (rehearsedText(metadata).empty())
        return capacity.isLowerBound() ? VerdictBar::tr("GPU ≥ %1") : VerdictBar::tr("GPU %1");
    const std::string gpu = rehearsedGpu(metadata);
    return capacity.source == CapacitySource::File && !gpu.empty()
        ? VerdictBar::tr("simulated %1: %2").arg(toQString(gpu), QStringLiteral("%1"))
        : VerdictBar::tr("rehearsed, GPU %1");
}

/// Returns the given capacity. If there is none and the run was rehearsed, returns the capacity of the
/// simulated GPU, unless the memory is the host's or the run reserved more.
std::optional<DeviceCapacity> capacityToShow(
    const Document& document, const DeviceAnalysis& analysis, const std::optional<DeviceCapacity>& given)
{
    const std::string gpu = rehearsedGpu(document.trace().metadata);
    if (given || gpu.empty() || analysis.info().kind == DeviceKind::HostPinned)
        return given;
    Result<DeviceCapacity> simulated = capacityFromText(gpu);
    if (!simulated || isContradicted(*simulated, analysis.figures.reservedPeakBytes))
        return std::nullopt;
    return DeviceCapacity{simulated->bytes, CapacitySource::File, {}, -1};
}

/// Returns a sentence on the first failure, and how many failures there are.
QString outOfMemoryText(const OomEvent& first, std::size_t count)
{
    QString text = VerdictBar::tr("Out of memory at %1: %2 requested")
                       .arg(eventText(first.event), bytesText(first.requestedBytes));
    if (first.deviceFreeBytes != OomEvent::kUnknown)
        text += VerdictBar::tr(", %1 free on the GPU").arg(bytesText(first.deviceFreeBytes));
    if (count > 1)
        text += VerdictBar::tr("; the first of %1").arg(countText(static_cast<std::int64_t>(count)));
    return text;
}

/// Returns the first of these findings that saves memory: the one that the diagnosis names, and its most
/// important fault. Nullopt if neither does.
std::optional<std::size_t> findingToFix(const RunStudy& run)
{
    for (const std::optional<std::size_t>& number : {run.diagnosis().named, run.diagnosis().worst})
        if (number && savesMemory(run.findings()[*number]))
            return number;
    return std::nullopt;
}

/// The figures of a log for the gauge. They may be from several lines of the log.
struct LogFigures
{
    GaugeFigures gauge;
    /// The line to open: that of the first failure, or that of the highest value of the first series with
    /// known lines; 0 if unknown.
    std::uint64_t line = 0;
};

/// Returns the memory that all processes used on the GPU when it ran out; nullopt if it did not, or if the
/// log lacks the capacity or the free bytes.
std::optional<LogFigures> figuresOfFailure(const Trace& log, const Diagnosis& diagnosis)
{
    if (!diagnosis.ranOut() || !diagnosis.capacity || !diagnosis.free
        || *diagnosis.free > *diagnosis.capacity)
        return std::nullopt;
    LogFigures figures;
    figures.gauge.used = *diagnosis.capacity - *diagnosis.free;
    figures.gauge.usedText = VerdictBar::tr("%1 used on the GPU").arg(bytesText(figures.gauge.used));
    figures.gauge.moment = toQString(inWords(KeyMomentKind::OutOfMemory));
    figures.gauge.tip = VerdictBar::tr(
        "Used by all processes when memory ran out: the capacity minus the %1 that were free")
                            .arg(bytesText(*diagnosis.free));
    if (const std::vector<LogFailure> failures = logFailures(log); !failures.empty())
        figures.line = log.logEvents[failures.front().event].line;
    return figures;
}

/// Returns the highest value of the log's series of reserved memory, and that of its other series of GPU
/// memory.
LogFigures highestFigures(const Trace& log)
{
    LogFigures figures;
    QStringList tip;
    for (const std::size_t i : memorySeriesOf(log)) {
        const CounterSeries& series = log.counters[i];
        const SeriesFigures values = seriesFigures(series).value();
        const bool isReserved = series.metric.starts_with("reserved");
        Bytes& highest = isReserved ? figures.gauge.reserved : figures.gauge.used;
        QString& text = isReserved ? figures.gauge.reservedText : figures.gauge.usedText;
        if (const Bytes largest = wholeBytes(values.largest); largest > highest) {
            highest = largest;
            text = bytesText(largest) + toQString(wordsAfterFigure(series.metric));
        }
        if (figures.line == 0)
            figures.line = series.lineAt(values.largestPoint);
        tip << VerdictBar::tr("%1: at most %2")
                   .arg(toQString(measureText(series)), toQString(valueText(series, values.largest)));
    }
    figures.gauge.moment = VerdictBar::tr("highest values");
    figures.gauge.tip = tip.join(QLatin1Char('\n'));
    return figures;
}

/// Makes a button for a short text; the caller shows it when it has one.
QToolButton* makeChip(const char* name, const QString& tip, QWidget* parent)
{
    auto* button = named(new QToolButton(parent), name, {}, tip);
    button->setProperty("chip", true);
    button->setCursor(Qt::PointingHandCursor);
    button->hide();
    return button;
}

/// True if nothing could be examined, so that the headline says how to record something.
bool isEmpty(const Diagnosis& diagnosis)
{
    return diagnosis.diagnosed == DiagnosisClass::NothingExamined;
}

} // namespace

GaugeFigures gaugeFigures(const Document& document, const DeviceAnalysis& analysis,
    const std::optional<DeviceCapacity>& given, const KeyMoment& moment)
{
    const std::optional<DeviceCapacity> capacity = capacityToShow(document, analysis, given);
    const DeviceFigures& figures = analysis.figures;
    const bool isReservedExact = figureCertainty(analysis.info()).reservedPeak == Certainty::Exactly;
    // At the highest event of a file that is cut off, reserved bytes are too low: more was in use at its end.
    const Bytes reserved = moment.kind == KeyMomentKind::HighestEvent ? 0 : moment.reserved.value_or(0);
    GaugeFigures shown;
    shown.used = moment.bytes;
    shown.reserved = reserved;
    shown.moment = toQString(moment.kind == KeyMomentKind::HighestEvent // `nameOfHighest` is shorter
            ? nameOfHighest(analysis.study)
            : inWords(moment.kind));
    const QString used = moment.kind == KeyMomentKind::Peak ? runPeakText(analysis, shown.used)
                                                            : totalText(analysis, shown.used);
    shown.usedText = used + QLatin1Char(' ')
        + (analysis.quantity() == Quantity::Requested ? VerdictBar::tr("in use")
                                                      : toQString(inWords(analysis.quantity())));
    if (reserved > 0)
        shown.reservedText
            = (isReservedExact ? VerdictBar::tr("%1 reserved") : VerdictBar::tr("≥ %1 reserved"))
                  .arg(bytesText(reserved));
    if (capacity) {
        shown.capacity = capacity->bytes;
        shown.capacityText = capacityFormat(document, *capacity).arg(bytesText(capacity->bytes));
    }
    shown.ranOut = moment.kind != KeyMomentKind::Chosen && !figures.ooms.empty();
    QStringList tip{toQString(upperFirst(shown.moment.toStdString())) + QStringLiteral(": ") + shown.usedText
        + (reserved > 0 ? QStringLiteral(", ") + shown.reservedText : QString())};
    tip << peakText(analysis);
    if (const Bytes most = figures.reservedPeakBytes; most > 0)
        tip << (isReservedExact
                ? VerdictBar::tr("%1 peak reserved").arg(bytesText(most))
                : VerdictBar::tr("≥ %1 peak reserved: the file is cut off").arg(bytesText(most)));
    tip << (capacity ? capacityText(figures, *capacity, isReservedExact) : VerdictBar::tr("Capacity unknown"))
            + VerdictBar::tr(" (View › Capacity… sets it)");
    if (const std::string rehearsed = rehearsedText(document.trace().metadata); !rehearsed.empty())
        tip << toQString(fullSentence(rehearsed));
    if (shown.ranOut)
        tip << outOfMemoryText(figures.ooms.front(), figures.ooms.size());
    shown.tip = tip.join(QLatin1Char('\n'));
    return shown;
}

VerdictBar::VerdictBar(QWidget* parent)
    : QFrame(parent)
    , m_headline(new Headline(this))
    , m_answer(makeChip("gpuAnswer", {}, this))
    , m_gauge(new MemoryGauge(this))
    , m_findings(makeChip("findingsLink", {}, this))
    , m_limits(makeChip("limits", {}, this))
    , m_remarks(makeChip("remarks", {}, this))
{
    named(this, "verdict", tr("Diagnosis and main figures"));
    layRow(this, {{m_headline, 1}, m_answer, m_gauge, m_findings, m_limits, m_remarks},
        {{kBarMargin, 0, kBarMargin, 0}, kBarGap});
    setFixedHeight(std::max(kHeight, m_headline->sizeHint().height() + 2));
    connect(m_gauge, &MemoryGauge::clicked, this, [this] {
        if (m_logLine)
            emit lineRequested(*m_logLine);
        else
            emit eventRequested(m_gaugeEvent);
    });
    connect(m_headline, &Headline::pointedAt, this,
        [this](bool isInside) { emit fixPointedAt(isInside ? m_fix : std::nullopt); });
    connect(m_answer, &QToolButton::clicked, this, &VerdictBar::capacityRequested);
    connect(m_findings, &QToolButton::clicked, this, &VerdictBar::findingsRequested);
    connect(m_limits, &QToolButton::clicked, this, &VerdictBar::remarksRequested);
    connect(m_remarks, &QToolButton::clicked, this, &VerdictBar::remarksRequested);
}

void VerdictBar::show(
    const Document& document, const DeviceAnalysis& analysis, const std::optional<DeviceCapacity>& capacity)
{
    const KeyMoment moment = keyMoment(analysis.study);
    m_gaugeEvent = moment.event;
    m_logLine.reset();
    const GaugeFigures shown = gaugeFigures(document, analysis, capacity, moment);
    m_gauge->setFigures(shown);
    m_gauge->setToolTip(shown.tip);
    showAnswer(answerForGpu(analysis.study, capacity));
    showRemarks(document);
}

void VerdictBar::showAnswer(const std::optional<GpuAnswer>& answer)
{
    m_answer->setVisible(answer.has_value());
    if (answer) {
        m_answer->setText(toQString(upperFirst(answer->text)));
        m_answer->setToolTip(
            Qt::convertFromPlainText(toQString(answer->detail) + tr("\nClick to choose another GPU")));
    }
    shareRoom();
}

void VerdictBar::showLog(const Document& document, const Diagnosis& diagnosis)
{
    const Trace& log = document.trace();
    LogFigures shown = figuresOfFailure(log, diagnosis).value_or(highestFigures(log));
    shown.gauge.ranOut = diagnosis.ranOut();
    shown.gauge.capacity = diagnosis.capacity;
    if (diagnosis.capacity)
        shown.gauge.capacityText = tr("GPU %1").arg(bytesText(*diagnosis.capacity));
    m_logLine = shown.line;
    m_gauge->setFigures(shown.gauge);
    m_gauge->setToolTip(Qt::convertFromPlainText(shown.gauge.tip));
    m_hasFigures = shown.gauge.used > 0 || shown.gauge.reserved > 0;
    showAnswer(std::nullopt);
    showRemarks(document);
    if (isEmpty(diagnosis) && log.log.entries().size() == 1)
        m_remarks->hide(); // the headline says the same
    shareRoom();
}

void VerdictBar::showRemarks(const Document& document)
{
    const QString limits = shortLimits(document);
    m_limits->setVisible(!limits.isEmpty());
    m_limits->setText(limits);
    m_limits->setToolTip(documentLimits(document));

    const ImportLog& log = document.trace().log;
    m_remarks->setVisible(!log.entries().empty());
    m_remarks->setText(importLogSummary(log));
    m_remarks->setToolTip(Qt::convertFromPlainText(importLogText(log) + tr("\nClick to see where")));
    shareRoom();
}

/// Gives the gauge the width that the headline and the chips leave, within the gauge's own limits. A headline
/// that does not fit into one line next to the narrowest gauge gets two lines. The gauge stays even if the
/// headline is cut; it is hidden, so that no gaps stay, if it has no figures or its narrowest width leaves
/// less than `kNarrowestHeadline`.
void VerdictBar::shareRoom()
{
    int room = width() - 2 * kBarMargin - kBarGap;
    for (const QToolButton* chip : {m_answer, m_findings, m_limits, m_remarks})
        if (chip->isVisibleTo(this))
            room -= chip->sizeHint().width() + kBarGap;
    const int oneLine = m_headline->oneLineWidth();
    const int narrowest = m_gauge->minimumSizeHint().width();
    const int wanted = oneLine <= room - narrowest ? oneLine : m_headline->twoLineWidth();
    const int gaugeWidth = std::min(room - wanted - kHeadlineSlack, m_gauge->sizeHint().width());
    m_gauge->setMaximumWidth(std::max(gaugeWidth, narrowest));
    m_gauge->setVisible(m_hasFigures && room - narrowest >= kNarrowestHeadline);
}

void VerdictBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    shareRoom();
}

void VerdictBar::showFindings(const RunStudy* run)
{
    m_fix = run ? findingToFix(*run) : std::nullopt;
    const std::size_t faultCount = run ? run->faultCount() : 0;
    const Finding* const saving = run ? run->findingAt(run->diagnosis().opportunity) : nullptr;
    m_findings->setVisible(faultCount > 0 || saving);
    // A setting makes the allocator reserve less; other remedies keep less memory in use.
    const bool savesReserved = saving && !saving->remedy.setting.empty();
    m_findings->setText(saving
            ? tr("Could save %1%2%3")
                  .arg(saving->remedy.isUpperBound ? QStringLiteral("≤ ") : QString(),
                      bytesText(saving->remedy.savedBytes), savesReserved ? tr(" reserved") : QString())
            : countedText(static_cast<std::int64_t>(faultCount), "fault", "faults"));
    m_findings->setToolTip(saving ? tr("Nothing is wrong, yet this much could be saved")
                                  : tr("Faults of the run, with evidence and next steps"));
    if (run && run->device()) // `show` does not know the GPU of a configuration
        showAnswer(answerForGpu(*run));
    const Diagnosis diagnosis = run ? run->diagnosis() : Diagnosis();
    m_headline->setText(run ? toQString(diagnosis.sentence) : tr("Looking for problems…"),
        toQString(isEmpty(diagnosis) ? fullSentence(diagnosis.next) : diagnosis.detail));
    shareRoom();
}

void VerdictBar::setColors(const ThemeColors& colors)
{
    m_gauge->setColors(colors);
}

} // namespace highwater::gui
