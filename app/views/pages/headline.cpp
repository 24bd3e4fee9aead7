#include "app/views/pages/headline.h"

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
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * kVerdictSize);
    return {600, QFontMetrics(large).height() + QFontMetrics(smallFont(font())).height()};
}

/// Breaks the text into the lines that are painted. Clauses cut off the verdict come first on the second
/// line; a verdict that is cut within a clause is whole only in the tool tip.
void Headline::breakLines()
{
    const auto onOneLine = [this](const QFont& font) {
        return [this, metrics = QFontMetrics(font)](
                   const QString& text) { return metrics.horizontalAdvance(text) <= width(); };
    };
    const QString firstLine = shortenedToFit(m_verdict, onOneLine(verdictFont()));
    QString secondLine = m_details;
    if (m_verdict.startsWith(firstLine)) {
        QString rest = m_verdict.mid(firstLine.size());
        while (!rest.isEmpty() && QStringLiteral(" .;:,").contains(rest[0]))
            rest.remove(0, 1);
        secondLine = rest.left(1).toUpper() + rest.mid(1) + (rest.isEmpty() ? "" : " ") + m_details;
    }
    m_lines = {firstLine};
    if (!secondLine.isEmpty())
        m_lines << shortenedToFit(secondLine, onOneLine(smallFont(font())));
    update();
}

void Headline::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QFont bold = verdictFont();
    const QFont secondFont = smallFont(font());
    const int firstHeight = QFontMetrics(bold).height();
    const int totalHeight = firstHeight + (m_lines.size() > 1 ? QFontMetrics(secondFont).height() : 0);
    int top = (height() - totalHeight) / 2;
    painter.setFont(bold);
    painter.drawText(QRect(0, top, width(), firstHeight), Qt::AlignLeft | Qt::AlignVCenter, m_lines.value(0));
    if (m_lines.size() < 2)
        return;
    top += firstHeight;
    painter.setFont(secondFont);
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
