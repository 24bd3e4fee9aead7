#include "app/views/compare/compare_header.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>

#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/base/text_format.h"

namespace highwater::gui {

namespace {

QString momentsText(const MomentDiff& diff)
{
    const QString quantity = toQString(inWords(diff.diff.quantity))
        + (diff.comparison->inferred ? QObject::tr(" (of one run inferred)") : QString());
    switch (diff.moments.kind) {
    case ComparedMoments::Kind::Peaks: return QObject::tr("peak %1, before → after").arg(quantity);
    case ComparedMoments::Kind::Step:
        return QObject::tr("%1 at the peak of the step, before → after").arg(quantity);
    case ComparedMoments::Kind::Place: break;
    }
    return QObject::tr("%1 after %2 → after %3")
        .arg(quantity, eventText(diff.moments.beforeEvent), eventText(diff.moments.afterEvent));
}

} // namespace

CompareHeader::CompareHeader(QWidget* parent)
    : QFrame(parent)
    , m_verdict(new QLabel(this))
{
    named(this, "compareHeader", tr("What changed"));
    new QHBoxLayout(this);
    layout()->setContentsMargins(14, 8, 14, 8);
    layout()->setSpacing(28);
    m_totals = addFigure(QStringLiteral("compareTotals"));
    m_delta = addFigure(QStringLiteral("compareDelta"));
    m_verdict->setObjectName(QStringLiteral("compareVerdict"));
    makeSelectable(*m_verdict, Qt::RichText);
    static_cast<QHBoxLayout*>(layout())->addWidget(m_verdict, 1);
}

CompareHeader::Figure CompareHeader::addFigure(const QString& name)
{
    const Figure figure{new QLabel(this), new QLabel(this)};
    makeBold(*figure.value, 1.6);
    figure.value->setObjectName(name);
    figure.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    figure.caption->setProperty("quiet", true);
    auto* column = layColumn(nullptr, {Part::space(1), figure.value, figure.caption, Part::space(1)});
    static_cast<QHBoxLayout*>(layout())->addLayout(column);
    return figure;
}

void CompareHeader::show(const MomentDiff* diff)
{
    setFiguresVisible(diff != nullptr);
    m_verdict->setVisible(diff != nullptr);
    if (!diff)
        return;
    showFigures(diff->diff.before.bytes, diff->diff.after.bytes, momentsText(*diff),
        tr("the rows sum to it exactly"));
    showVerdict(diff->verdict);
}

void CompareHeader::show(const LogDiff* diff, const QString& measure)
{
    const SeriesPair* pair = diff && diff->compared ? &diff->series[*diff->compared] : nullptr;
    setFiguresVisible(pair != nullptr);
    m_verdict->setVisible(diff != nullptr);
    if (pair)
        showFigures(wholeBytes(pair->beforeFigures.largest), wholeBytes(pair->afterFigures.largest), measure,
            tr("of the largest values, as the logs round them"));
    if (diff)
        showVerdict(diff->verdict);
}

void CompareHeader::setFiguresVisible(bool visible)
{
    for (QLabel* label : {m_totals.value, m_totals.caption, m_delta.value, m_delta.caption})
        label->setVisible(visible);
}

void CompareHeader::showFigures(
    Bytes before, Bytes after, const QString& caption, const QString& deltaCaption)
{
    m_deltaBytes = after - before;
    m_totals.value->setText(tr("%1 → %2").arg(bytesText(before), bytesText(after)));
    m_totals.value->setToolTip(
        QString::fromStdString(formatExactBytes(before) + " → " + formatExactBytes(after)));
    m_totals.caption->setText(caption);
    m_delta.value->setText(
        QStringLiteral("%1 (%2)").arg(QString::fromStdString(formatBytesDelta(m_deltaBytes)),
            QString::fromStdString(formatRelativeDelta(before, after))));
    m_delta.value->setToolTip(QString::fromStdString(formatExactBytes(m_deltaBytes)));
    m_delta.caption->setText(deltaCaption);
    paintDelta();
}

void CompareHeader::showVerdict(const DiffVerdict& verdict)
{
    QString sentences = QStringLiteral("<b>%1</b>").arg(toQString(verdict.headline).toHtmlEscaped());
    for (const std::string& detail : verdict.details)
        sentences += QLatin1Char(' ') + toQString(detail).toHtmlEscaped();
    m_verdict->setText(sentences);
    fitSentences();
}

/// All lines must be visible, however narrow the header is.
void CompareHeader::fitSentences()
{
    layout()->activate(); // the adjacent figures may have become wider
    m_verdict->setMinimumHeight(std::max(0, m_verdict->heightForWidth(m_verdict->width())));
}

void CompareHeader::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fitSentences();
}

void CompareHeader::paintDelta()
{
    QPalette palette = m_delta.value->palette();
    palette.setColor(QPalette::WindowText,
        m_deltaBytes > 0       ? m_colors.more
            : m_deltaBytes < 0 ? m_colors.less
                               : m_colors.text);
    m_delta.value->setPalette(palette);
}

void CompareHeader::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    paintDelta();
}

QString CompareHeader::text() const
{
    QString text;
    for (const QLabel* label : findChildren<QLabel*>())
        text += label->text() + QLatin1Char('\n');
    return text;
}

} // namespace highwater::gui
