#include "app/views/compare/compare_header.h"

#include <algorithm>

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

constexpr double kHeadlineSize = 1.2;
constexpr int kGaugeWidth = 250;
constexpr int kWideHeader = 1100; ///< the least width with the figures next to the sentences
constexpr int kGap = 20;
constexpr int kNarrowGap = 6;

/// Returns " (inferred)" or " (inferred for one run)"; empty if nothing is inferred.
QString inferredText(const Comparison& comparison)
{
    if (!comparison.isInferred)
        return {};
    const bool isBoth = comparison.before.analysis->allocations.hasInferred()
        && comparison.after.analysis->allocations.hasInferred();
    return isBoth ? QObject::tr(" (inferred)") : QObject::tr(" (inferred for one run)");
}

/// Marks the capacity of the other run's GPU in a gauge that has none.
void takeCapacity(GaugeFigures& figures, const GaugeFigures& other)
{
    if (figures.capacity || !other.capacity)
        return;
    figures.capacity = other.capacity;
    figures.tip += QObject::tr("\nThe mark is the capacity in the other run: %1").arg(other.capacityText);
}

/// Returns the caption of the totals: their quantity and the two moments.
QString momentsText(const MomentDiff& diff)
{
    const QString quantity = toQString(inWords(diff.diff.quantity)) + inferredText(*diff.comparison);
    if (diff.names.areMoments)
        return QObject::tr("%1, %2 → %3")
            .arg(quantity, toQString(diff.names.before), toQString(diff.names.after));
    switch (diff.moments.kind) {
    case ComparedMoments::Kind::Peaks:
        if (const auto& unequal = diff.comparison->runs.unequalPeaks())
            return QObject::tr("peak %1, %2 → %3")
                .arg(quantity, toQString(unequal->beforeStep), toQString(unequal->afterStep));
        return QObject::tr("peak %1, before → after").arg(quantity);
    case ComparedMoments::Kind::Step:
        return QObject::tr("%1 at the peak of the step, before → after").arg(quantity);
    case ComparedMoments::Kind::Place:
    case ComparedMoments::Kind::Given: break;
    }
    return QObject::tr("%1 after %2 → after %3")
        .arg(quantity, eventText(diff.moments.beforeEvent), eventText(diff.moments.afterEvent));
}

} // namespace

CompareHeader::CompareHeader(QWidget* parent)
    : QFrame(parent)
    , m_totals(makeFigure("compareTotals"))
    , m_delta(makeFigure("compareDelta"))
    , m_caption(makeCaption())
    , m_outcome(new QLabel(this))
    , m_first(new ElidedLabel(this))
    , m_verdict(new QLabel(this))
    , m_more(new QToolButton(this))
{
    named(this, "compareHeader", tr("What changed"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // the timelines get all the rest
    m_outcome->setObjectName(QStringLiteral("compareOutcome"));
    makeSelectable(*m_outcome, Qt::PlainText);
    makeBold(*m_outcome, kHeadlineSize);
    m_verdict->setObjectName(QStringLiteral("compareVerdict"));
    makeSelectable(*m_verdict, Qt::PlainText);
    m_first->setObjectName(QStringLiteral("compareFirst"));
    named(m_more, "compareMore", tr("All sentences on what changed"), tr("Show or hide the other sentences"));
    m_more->setProperty("link", true);
    m_more->setCheckable(true);
    m_more->setFocusPolicy(Qt::TabFocus);
    connect(m_more, &QToolButton::toggled, this, &CompareHeader::unfold);
    auto* sentences = layRow(
        nullptr, {{m_first, 1}, {m_verdict, 1}, {m_more, 0, Qt::AlignBottom}, Part::space(0)}, {{}, 8});
    auto* words = layColumn(nullptr, {m_outcome, sentences, Part::space(1)}, {{}, 2});
    auto* totals = layColumn(nullptr, {m_totals, m_delta, m_caption, Part::space(1)}, {{}, 0});
    auto* figures = layRow(nullptr, {totals, makeGauges()}, {{}, kGap});
    m_halves = layRow(this, {{words, 1}, figures}, {{16, 6, 16, 6}, kGap});
    unfold(false);
}

QLabel* CompareHeader::makeFigure(const char* name)
{
    auto* figure = named(new QLabel(this), name);
    makeBold(*figure, 1.1);
    figure->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return figure;
}

QLabel* CompareHeader::makeCaption()
{
    auto* caption = new QLabel(this);
    caption->setProperty("quiet", true);
    caption->setFont(smallFont(caption->font()));
    return caption;
}

QWidget* CompareHeader::makeGauges()
{
    m_gauges = new QWidget(this);
    m_beforeGauge = new MemoryGauge(m_gauges);
    m_afterGauge = new MemoryGauge(m_gauges);
    auto* grid = new QGridLayout(m_gauges);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    for (const auto& [row, title, gauge] :
        {std::tuple(0, tr("before"), m_beforeGauge), std::tuple(1, tr("after"), m_afterGauge)}) {
        auto* name = new QLabel(title, m_gauges);
        name->setProperty("quiet", true);
        name->setFont(smallFont(name->font()));
        grid->addWidget(name, row, 0, Qt::AlignTop | Qt::AlignRight);
        grid->addWidget(gauge, row, 1, Qt::AlignTop);
        gauge->setCursor(Qt::ArrowCursor);
        gauge->setMinimumWidth(kGaugeWidth);
        gauge->setMaximumWidth(kGaugeWidth);
    }
    m_gauges->hide();
    return m_gauges;
}

void CompareHeader::showGauges(GaugeFigures before, GaugeFigures after)
{
    const auto largest = [](const GaugeFigures& figures) {
        return std::max({figures.used, figures.reserved, figures.capacity.value_or(0)});
    };
    before.scale = after.scale = std::max(largest(before), largest(after));
    takeCapacity(before, after);
    takeCapacity(after, before);
    m_beforeGauge->setFigures(before);
    m_afterGauge->setFigures(after);
    m_beforeGauge->setToolTip(before.tip);
    m_afterGauge->setToolTip(after.tip);
    m_gauges->show();
}

void CompareHeader::show(const MomentDiff* diff)
{
    setFiguresVisible(diff != nullptr);
    m_outcome->setVisible(diff != nullptr);
    const bool hasTwoRuns = diff && !diff->comparison->runs.isOfOneDevice();
    m_gauges->setVisible(hasTwoRuns && !m_beforeGauge->text().isEmpty());
    showVerdict(diff ? diff->verdict : DiffVerdict());
    if (diff)
        showFigures(diff->diff.before.bytes, diff->diff.after.bytes, momentsText(*diff));
}

void CompareHeader::show(const LogDiff* diff, const QString& measure)
{
    const SeriesPair* pair = diff && diff->compared ? &diff->series[*diff->compared] : nullptr;
    setFiguresVisible(pair != nullptr);
    m_outcome->setVisible(diff != nullptr);
    if (pair)
        showFigures(wholeBytes(pair->beforeFigures.largest), wholeBytes(pair->afterFigures.largest),
            tr("%1, maxima as logged").arg(measure));
    showVerdict(diff ? diff->verdict : DiffVerdict());
}

void CompareHeader::setFiguresVisible(bool visible)
{
    for (QLabel* label : {m_totals, m_delta, m_caption})
        label->setVisible(visible);
}

void CompareHeader::showFigures(Bytes before, Bytes after, const QString& caption)
{
    m_deltaBytes = after - before;
    const ChangeText text = formatChange(before, after);
    m_totals->setText(tr("%1 → %2").arg(toQString(text.before), toQString(text.after)));
    m_totals->setToolTip(QString::fromStdString(formatExactBytes(before) + " → " + formatExactBytes(after)));
    m_delta->setText(QStringLiteral("%1 (%2)").arg(
        toQString(text.delta), QString::fromStdString(formatRelativeDelta(before, after))));
    m_delta->setToolTip(QString::fromStdString(formatExactBytes(m_deltaBytes)));
    m_caption->setText(caption);
    paintDelta();
}

void CompareHeader::showVerdict(const DiffVerdict& verdict)
{
    const std::vector<std::string> details = verdict.detailsWithoutChange();
    m_outcome->setText(toQString(verdict.headline));
    m_verdict->setText(joined(details, QLatin1Char(' ')));
    const QString first = details.empty() ? QString() : toQString(details.front());
    m_first->setText(first);
    m_first->setMaximumWidth(m_first->fontMetrics().horizontalAdvance(first) + 2);
    m_hasMore = details.size() > 1;
    unfold(m_more->isChecked());
}

void CompareHeader::unfold(bool open)
{
    const bool hasSentences = !m_verdict->text().isEmpty();
    m_more->setChecked(open);
    m_more->setText(open ? tr("Less") : tr("More"));
    m_first->setVisible(hasSentences && !open);
    m_verdict->setVisible(hasSentences && open);
    fitSentences();
}

/// Offers the other sentences if there are any, and the first one if its line is cut.
void CompareHeader::offerMore()
{
    const bool isCut = m_first->width() < m_first->maximumWidth();
    m_more->setVisible(m_more->isChecked() || (!m_first->text().isEmpty() && (m_hasMore || isCut)));
}

/// Gives the sentences the height that they need at the width of the header.
void CompareHeader::fitSentences()
{
    for (QLabel* label : {m_outcome, m_verdict})
        label->setMinimumHeight(0); // a hidden label has computed it for a width it never had
    layout()->activate(); // the figures next to the sentences may have become wider
    offerMore();
    layout()->activate();
    for (QLabel* label : {m_outcome, m_verdict})
        if (label->isVisibleTo(this))
            label->setMinimumHeight(std::max(0, label->heightForWidth(label->width())));
    updateGeometry();
}

void CompareHeader::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    const bool isWide = width() >= kWideHeader;
    m_halves->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_halves->setSpacing(isWide ? kGap : kNarrowGap);
    fitSentences();
}

void CompareHeader::paintDelta()
{
    QPalette palette = m_delta->palette();
    palette.setColor(QPalette::WindowText,
        m_deltaBytes > 0       ? m_colors.more
            : m_deltaBytes < 0 ? m_colors.less
                               : m_colors.text);
    m_delta->setPalette(palette);
}

QString CompareHeader::headline() const
{
    return m_outcome->text();
}

QString CompareHeader::details() const
{
    return m_verdict->text();
}

void CompareHeader::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    m_beforeGauge->setColors(colors);
    m_afterGauge->setColors(colors);
    paintDelta();
}

} // namespace highwater::gui
