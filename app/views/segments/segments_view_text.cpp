#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include "app/views/parts/elided_label.h"
#include "app/views/segments/replay_panel.h"
#include "app/views/segments/segments_view.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/device/cut_off.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/figure/drawing/figure_sheet.h"

// The sentences above the map.

namespace highwater::gui {

namespace {

/// Least room in pixels for the words on what an event did.
constexpr int kChangeRoom = 100;

QString linkTo(const QString& target, const QString& text, const ThemeColors& colors)
{
    return QStringLiteral("<a style='color:%1' href='%2'>%3</a>").arg(colors.accent.name(), target, text);
}

/// Returns what a sentence says first, without a full stop; its tool tip has the rest.
QString firstClause(const QString& sentence)
{
    const QString clause = sentence.section(QStringLiteral("; "), 0, 0);
    return clause.endsWith(QLatin1Char('.')) ? clause.chopped(1) : clause;
}

} // namespace

/// Only pending frees need a legend: blocks have the timeline's colours and free blocks are empty.
void SegmentsView::fillLegend()
{
    m_legend->setVisible(m_moment && m_moment->state.pendingBytes > 0);
    m_legend->setText(tr("▨ freed, pending"));
}

QString SegmentsView::momentText() const
{
    const std::int64_t event = m_moment->state.event;
    const std::vector<OomEvent>& ooms = m_analysis->figures.ooms;
    if (m_analysis->allocations.eventCount() == 0)
        return tr("At the snapshot");
    QFont font = m_headline->font();
    font.setBold(true);
    const QFontMetrics bold(font);
    const auto width = [&bold](const QString& part) { return bold.horizontalAdvance(part); };
    const int room = m_headline->width();
    QString text = toQString(upperFirst(formatMoment(event)));
    if (m_moment->verdict)
        text += tr(", out of memory");
    else if (event == m_analysis->figures.peakEvent && isPeakAtEvent(m_analysis->info(), m_analysis->figures))
        text += tr(", the peak");
    // The verdict below says what an out-of-memory event requested.
    if (event >= 0 && !m_moment->verdict) {
        const QString change = toQString(changeText(*m_analysis->trace, m_analysis->sites, m_moment->change));
        if (room - width(text) >= kChangeRoom)
            text += QStringLiteral(": ")
                + shortenedTo(room - width(text + QStringLiteral(": ")), change, bold);
    }
    const int linkWidth = width(QStringLiteral(" (%1)").arg(tr("go to the out-of-memory event")));
    const bool hasRoom = width(text) + linkWidth <= room;
    text = text.toHtmlEscaped();
    if (!m_moment->verdict && !ooms.empty() && hasRoom)
        text += QStringLiteral(" (%1)").arg(
            linkTo(QString::number(ooms.back().event), tr("go to the out-of-memory event"), m_colors));
    return text;
}

/// Returns what the headline cuts, and all sentences that may be hidden: the composition, at a failure the
/// obstacle, and the remarks.
QString SegmentsView::headlineTip() const
{
    QStringList lines{m_composition->text()};
    if (m_moment->verdict)
        lines << toQString(upperFirst(clearingSentence(*m_moment->verdict, m_moment->state)));
    else if (m_moment->state.event >= 0)
        lines << toQString(upperFirst(changeText(*m_analysis->trace, m_analysis->sites, m_moment->change)));
    lines << m_remarks->text();
    lines.removeAll(QString());
    return lines.isEmpty() ? QString()
                           : QStringLiteral("<p>%1</p>")
                                 .arg(lines.join(QLatin1Char('\n'))
                                          .toHtmlEscaped()
                                          .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

void SegmentsView::fillText()
{
    const SegmentState& state = m_moment->state;
    const bool hasSegments = !state.segments.empty() || !m_analysis->trace->segments.segments.empty();
    m_headline->setText(hasSegments ? QStringLiteral("<b>%1</b>").arg(momentText())
                                    : tr("No segments in this file, so the memory layout is unknown"));
    QString composition = toQString(upperFirst(momentHeadline(*m_moment)));
    if (m_moment->figures.releasableBytes > 0)
        composition += tr("; %1 in unused segments").arg(bytesText(m_moment->figures.releasableBytes));
    m_composition->setText(hasSegments ? composition : QString());
    fillVerdict();
    QStringList remarks;
    if (const QString text = m_replays->noAdviceText(); !text.isEmpty() && !m_moment->verdict)
        remarks << firstClause(text) + QLatin1Char('.');
    for (const std::string& sentence : reservations(state))
        remarks << toQString(upperFirst(sentence)) + QLatin1Char('.');
    m_remarks->setText(remarks.join(QLatin1Char(' ')));
    m_headline->setToolTip(headlineTip());
    showSentences();
}

/// A short view leaves the room of the sentences below the verdict to the map; only the remarks stay while
/// the tables are hidden. Where memory ran out, the composition is hidden, because the bars above the map and
/// Details have its figures. The tool tip of the heading has what is hidden.
void SegmentsView::showSentences()
{
    if (!m_moment)
        return;
    const bool isShort = height() < FigureOptions::kLowestDecorated;
    m_composition->setVisible(!m_composition->text().isEmpty() && !m_moment->verdict && !isShort);
    m_obstacle->setVisible(!m_obstacle->text().isEmpty() && !isShort);
    m_remarks->setVisible(!m_remarks->text().isEmpty() && (!isShort || !m_showTables->isChecked()));
}

void SegmentsView::resizeEvent(QResizeEvent* event)
{
    AnalysisPanel::resizeEvent(event);
    if (m_moment)
        fillText(); // the heading may have more room or less
}

void SegmentsView::fillVerdict()
{
    m_verdict->setVisible(m_moment->verdict.has_value());
    m_obstacle->clear();
    if (!m_moment->verdict)
        return;
    QPalette palette = m_verdict->palette();
    palette.setColor(QPalette::WindowText, m_colors.danger);
    m_verdict->setPalette(palette);
    const QString whole = toQString(upperFirst(sentenceOf(*m_analysis->trace, *m_moment->verdict)));
    const QString noAdvice = m_replays->noAdviceText();
    QString verdict = firstClause(whole);
    if (!noAdvice.isEmpty())
        verdict += QStringLiteral("; ") + noAdvice.at(0).toLower() + firstClause(noAdvice).mid(1);
    m_verdict->setText(verdict.toHtmlEscaped());
    m_verdict->setToolTip(
        QStringLiteral("<p>%1</p>").arg((whole + QStringLiteral(". ") + noAdvice).toHtmlEscaped()));
    const QString obstacle
        = toQString(upperFirst(clearingSentence(*m_moment->verdict, m_moment->state))).toHtmlEscaped();
    if (obstacle.isEmpty())
        return;
    const auto& cheapestRange = m_moment->verdict->cheapest;
    m_obstacle->setText(obstacle
        + (cheapestRange ? QStringLiteral(" ")
                    + linkTo(QStringLiteral("segment:%1").arg(cheapestRange->segment), tr("Show"), m_colors)
                         : QString()));
}

} // namespace highwater::gui
