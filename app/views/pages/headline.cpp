#include "app/views/pages/headline.h"

#include <algorithm>

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QPainter>

#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"

namespace highwater::gui {

namespace {

constexpr double kVerdictSize = 1.25; ///< times the size of the window's font

} // namespace

Headline::Headline(QWidget* parent)
    : QWidget(parent)
{
    named(this, "headline", tr("Diagnosis"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    addContextAction(*this, tr("&Copy"), [this] { QGuiApplication::clipboard()->setText(text()); });
}

void Headline::setText(const QString& verdict, const QString& details)
{
    m_verdict = verdict;
    m_details = details;
    setToolTip(text().toHtmlEscaped());
    setAccessibleDescription(text());
    breakLines();
}

QString Headline::text() const
{
    return m_details.isEmpty() ? m_verdict : m_verdict + QLatin1Char(' ') + m_details;
}

QFont Headline::verdictFont() const
{
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * kVerdictSize);
    return bold;
}

QSize Headline::sizeHint() const
{
    return {600, 2 * QFontMetrics(verdictFont()).height()};
}

int Headline::oneLineWidth() const
{
    return QFontMetrics(verdictFont()).horizontalAdvance(m_verdict);
}

int Headline::twoLineWidth() const
{
    const QFontMetrics metrics(verdictFont());
    int least = oneLineWidth();
    for (qsizetype at = m_verdict.indexOf(QLatin1Char(' ')); at >= 0;
         at = m_verdict.indexOf(QLatin1Char(' '), at + 1))
        least = std::min(least,
            std::max(metrics.horizontalAdvance(m_verdict.left(at)),
                metrics.horizontalAdvance(m_verdict.mid(at + 1))));
    return least;
}

/// Breaks a verdict that is too long for one line at the last blank of its first line. Returns false without
/// doing so if it fits, or if its first line has no blank.
bool Headline::breakVerdict(const QFontMetrics& metrics)
{
    if (metrics.horizontalAdvance(m_verdict) <= width())
        return false;
    qsizetype end = -1;
    for (qsizetype at = m_verdict.indexOf(QLatin1Char(' '));
         at >= 0 && metrics.horizontalAdvance(m_verdict.left(at)) <= width();
         at = m_verdict.indexOf(QLatin1Char(' '), at + 1))
        end = at;
    if (end < 0)
        return false;
    m_lines = {m_verdict.left(end), metrics.elidedText(m_verdict.mid(end + 1), Qt::ElideMiddle, width())};
    return true;
}

/// Breaks the text into the lines that are painted.
void Headline::breakLines()
{
    update();
    const QFontMetrics metrics(verdictFont());
    m_isVerdictBroken = breakVerdict(metrics);
    if (m_isVerdictBroken)
        return;
    m_lines = {metrics.elidedText(m_verdict, Qt::ElideMiddle, width())};
    if (!m_details.isEmpty())
        m_lines << shortenedToFit(
            m_details, [this, small = QFontMetrics(smallFont(font()))](const QString& text) {
                return small.horizontalAdvance(text) <= width();
            });
}

void Headline::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QFont bold = verdictFont();
    const QFont second = m_isVerdictBroken ? bold : smallFont(font());
    const int firstHeight = QFontMetrics(bold).height();
    const int totalHeight = firstHeight + (m_lines.size() > 1 ? QFontMetrics(second).height() : 0);
    int top = (height() - totalHeight) / 2;
    painter.setFont(bold);
    painter.drawText(QRect(0, top, width(), firstHeight), Qt::AlignLeft | Qt::AlignVCenter, m_lines.value(0));
    if (m_lines.size() < 2)
        return;
    top += firstHeight;
    painter.setFont(second);
    if (!m_isVerdictBroken)
        painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRect(0, top, width(), height() - top), Qt::AlignLeft | Qt::AlignTop, m_lines[1]);
}

void Headline::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        breakLines();
    QWidget::changeEvent(event);
}

} // namespace highwater::gui
