#include "app/views/pages/verdict_bar.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>

#include "app/views/pages/import_log_view.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "core/analysis/device/cut_off.h"
#include "core/base/sentence_text.h"
#include "core/study/run_study.h"

namespace highwater::gui {

namespace {

/// A link that goes to an event.
QString eventLink(const QString& before, std::int64_t event, const QString& after = {})
{
    return QStringLiteral("%1<a href='%2'>%3</a>%4")
        .arg(before, QString::number(event), eventText(event), after);
}

/// The verdict, and what kind of trouble it is; where it is none of them, the first fault.
QString sentenceOf(const RunStudy& run)
{
    const auto worst = std::ranges::find(run.findings(), FindingKind::Fault, &Finding::kind);
    const bool isSaid = !run.diagnosis().sentence.empty() || worst == run.findings().end();
    return toQString(run.diagnosis().text() + (isSaid ? "" : ' ' + fullSentence(worst->title)));
}

} // namespace

VerdictBar::VerdictBar(QWidget* parent)
    : QFrame(parent)
    , m_layout(new QHBoxLayout(this))
    , m_peak(addFigure(QStringLiteral("peak")))
    , m_reserved(addFigure(QStringLiteral("reserved")))
    , m_capacity(addFigure(QStringLiteral("capacity")))
    , m_allocations(addFigure(QStringLiteral("allocations")))
    , m_outOfMemory(addFigure(QStringLiteral("outOfMemory")))
    , m_sentence(new QLabel(this))
    , m_findings(new QLabel(this))
    , m_remarks(new QLabel(this))
{
    named(this, "verdict", tr("Main figures"));
    m_layout->setContentsMargins(14, 8, 14, 8);
    m_layout->setSpacing(24);
    m_sentence->setObjectName(QStringLiteral("sentence"));
    makeSelectable(*m_sentence);
    m_sentence->setMaximumHeight(3 * fontMetrics().lineSpacing());
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_layout->addWidget(m_sentence, 1, Qt::AlignVCenter);
    named(m_findings, "findingsLink", {},
        tr("What is wrong with the run, with its evidence and what to do next"));
    connect(m_findings, &QLabel::linkActivated, this, &VerdictBar::findingsRequested);
    m_layout->addWidget(m_findings, 0, Qt::AlignVCenter);
    QFont big = font();
    big.setPointSizeF(big.pointSizeF() * 1.75);
    big.setBold(true);
    m_peak.value->setFont(big);
    m_outOfMemory.value->setProperty("danger", true);
    named(m_remarks, "remarks", {}, tr("What was noticed while the file was read"));
    connect(m_remarks, &QLabel::linkActivated, this, &VerdictBar::remarksRequested);
    m_layout->addWidget(m_remarks, 0, Qt::AlignVCenter);
}

VerdictBar::Figure VerdictBar::addFigure(const QString& name)
{
    const Figure figure{new QLabel(this), new QLabel(this)};
    makeBold(*figure.value, 1.3);
    figure.value->setObjectName(name + QStringLiteral("Value"));
    figure.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    figure.caption->setObjectName(name + QStringLiteral("Caption"));
    figure.caption->setProperty("quiet", true);
    figure.caption->setTextFormat(Qt::RichText);
    connect(figure.caption, &QLabel::linkActivated, this,
        [this](const QString& link) { emit eventRequested(link.toLongLong()); });
    auto* column = layColumn(nullptr, {Part::space(1), figure.value, figure.caption, Part::space(1)});
    m_layout->addLayout(column);
    return figure;
}

void VerdictBar::showOutOfMemory(const DeviceFigures& figures)
{
    const bool any = !figures.ooms.empty();
    m_outOfMemory.value->setVisible(any);
    m_outOfMemory.caption->setVisible(any);
    if (!any)
        return;
    const OomEvent& first = figures.ooms.front();
    const QString more = figures.ooms.size() > 1
        ? tr(" · first of %1").arg(countText(static_cast<std::int64_t>(figures.ooms.size())))
        : QString();
    m_outOfMemory.value->setText(tr("Out of memory: %1 wanted").arg(bytesText(first.requestedBytes)));
    m_outOfMemory.value->setToolTip(
        tr("The size that the allocator asked the device for, and what was free on the device then"));
    const QString deviceFree = first.deviceFreeBytes == OomEvent::kUnknown
        ? QString()
        : tr("%1 free on the device · ").arg(bytesText(first.deviceFreeBytes));
    m_outOfMemory.caption->setText(eventLink(deviceFree, first.event, more));
}

/// "step 3, forward · " of the peak, as far as it is known.
QString VerdictBar::peakPlace(const DeviceAnalysis& analysis)
{
    QStringList parts;
    const std::int64_t event = analysis.figures.peakEvent;
    const StepTable& steps = analysis.steps;
    if (const auto step = steps.stepOf(event); step && steps.source != StepSource::Whole)
        parts << toQString(steps.steps[*step].name).toHtmlEscaped();
    if (const Phase phase = analysis.phases.at(event); phase != Phase::Unknown)
        parts << toQString(toText(phase));
    return parts.isEmpty() ? QString() : parts.join(QStringLiteral(", ")) + QStringLiteral(" · ");
}

void VerdictBar::showPeak(const DeviceAnalysis& analysis)
{
    const DeviceFigures& figures = analysis.figures;
    const bool inferred = analysis.allocations.hasInferred();
    const Bytes least = leastPeak(analysis.info(), figures);
    m_peak.value->setText(lowerBoundText(analysis, least));
    m_peak.value->setToolTip(
        tr("The largest sum of %1 bytes that were live at once%2")
            .arg(toQString(inWords(analysis.quantity())),
                inferred ? tr(". Blocks that are gone count with the smallest size that the allocator gives "
                              "for such a request, so it is a lower bound")
                         : QString()));
    const QString quantity
        = toQString(inWords(analysis.quantity())) + (inferred ? tr(", inferred") : QString());
    const QString where = tr("peak, %1 · %2").arg(quantity, peakPlace(analysis));
    if (least > figures.peakBytes)
        m_peak.caption->setText(tr("peak, %1 · so much was live at the end").arg(quantity));
    else
        m_peak.caption->setText(figures.events > 0
                ? eventLink(where, figures.peakEvent)
                : tr("live when the snapshot was taken, %1").arg(quantity));
}

/// How far what the allocator held stayed below what the device has; both are bytes of the device.
void VerdictBar::showCapacity(
    const DeviceFigures& figures, const std::optional<DeviceCapacity>& capacity, bool isReservedKnown)
{
    m_capacity.value->setVisible(capacity.has_value());
    m_capacity.caption->setVisible(capacity.has_value());
    if (!capacity)
        return;
    const QString bytes = bytesText(capacity->bytes);
    m_capacity.value->setText(
        capacity->isLowerBound() ? tr("of at least %1").arg(bytes) : tr("of %1").arg(bytes));
    m_capacity.value->setToolTip(capacity->isLowerBound()
            ? tr("What the allocator had reserved and what was free when memory ran out. What other programs "
                 "and the CUDA context held comes on top. View › Capacity… sets it.")
            : tr("The memory of the device. View › Capacity… sets it."));
    QString caption = capacity->isLowerBound() ? eventLink(tr("capacity · "), capacity->event)
                                               : tr("capacity · %1").arg(toQString(sourceText(*capacity)));
    const Bytes left = capacity->bytes - figures.reservedPeakBytes;
    if (isReservedKnown && figures.reservedPeakBytes > 0 && left >= 0)
        caption
            += (capacity->isLowerBound() ? tr(" · at least %1 above reserved") : tr(" · %1 above reserved"))
                   .arg(bytesText(left));
    else if (figures.reservedPeakBytes > 0 && !capacity->isLowerBound())
        caption += tr(" · %1 less than was reserved").arg(bytesText(-left));
    m_capacity.caption->setText(caption);
}

void VerdictBar::show(
    const Document& document, const DeviceAnalysis& analysis, const std::optional<DeviceCapacity>& capacity)
{
    const DeviceFigures& figures = analysis.figures;
    showPeak(analysis);

    const bool reserved = figures.reservedPeakBytes > 0;
    m_reserved.value->setVisible(reserved);
    m_reserved.caption->setVisible(reserved);
    const bool isKnown = knownFigures(analysis.info()).reservedPeak == Known::Exactly;
    m_reserved.value->setText(
        (isKnown ? QString() : QStringLiteral("≥ ")) + bytesText(figures.reservedPeakBytes));
    m_reserved.value->setToolTip(isKnown ? tr("The most that the allocator held of the device at once")
                                         : tr("The file is cut off: the allocator may have held more"));
    m_reserved.caption->setText(isKnown ? tr("reserved at most") : tr("reserved at least"));

    showCapacity(figures, capacity, isKnown);
    m_allocations.value->setText(countText(static_cast<std::int64_t>(analysis.allocations.size())));
    m_allocations.caption->setText(
        tr("allocations · %1 live at the peak").arg(countText(figures.peakBlocks)));
    showOutOfMemory(figures);

    const QString remarks = importLogSummary(document.trace().log);
    m_remarks->setVisible(!remarks.isEmpty());
    m_remarks->setText(QStringLiteral("<a href='remarks'>%1</a>").arg(remarks));
    makeRoom();
}

/// The number of allocations is hidden first: the status bar shows it too.
void VerdictBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    makeRoom();
}

void VerdictBar::makeRoom()
{
    const QMargins margins = m_layout->contentsMargins();
    int needed = margins.left() + margins.right();
    const auto widthOf
        = [](const QLabel* label) { return label->isHidden() ? 0 : label->sizeHint().width(); };
    for (const Figure& figure : {m_peak, m_reserved, m_capacity, m_outOfMemory})
        if (!figure.value->isHidden())
            needed += std::max(widthOf(figure.value), widthOf(figure.caption)) + m_layout->spacing();
    needed += m_allocations.caption->sizeHint().width() + m_layout->spacing() + widthOf(m_remarks)
        + widthOf(m_findings) + m_layout->spacing();
    for (QLabel* label : {m_allocations.value, m_allocations.caption})
        label->setVisible(needed <= width());
    constexpr int narrowest = 180;
    const int left = width() - needed;
    m_sentence->setVisible(!m_sentence->text().isEmpty() && left >= narrowest);
}

void VerdictBar::showFindings(const RunStudy* run)
{
    const std::size_t faults = run ? run->faults() : 0;
    m_findings->setVisible(faults > 0);
    m_findings->setText(QStringLiteral("<a href='findings'>%1</a>")
                            .arg(countedText(static_cast<std::int64_t>(faults), "finding", "findings")));
    m_sentence->setText(run ? sentenceOf(*run) : QString());
    m_sentence->setToolTip(m_sentence->text());
    makeRoom();
}

QString VerdictBar::text() const
{
    QString text;
    for (const QLabel* label : findChildren<QLabel*>())
        if (!label->isHidden())
            text += label->text() + QLatin1Char('\n');
    return text;
}

} // namespace highwater::gui
