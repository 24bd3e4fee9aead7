#include "app/views/pages/headline.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QPainter>
#include <QTextLayout>

#include "app/views/parts/arrange.h"

namespace highwater::gui {

namespace {

constexpr double kVerdictSize = 1.25; ///< times the size of the window's font
constexpr char16_t kEllipsis = u'…';

/// Returns the start of the last clause outside brackets; −1 if there is only one clause.
qsizetype lastClauseStart(const QString& text)
{
    int depth = 0;
    for (qsizetype i = text.size() - 1; i > 0; --i) {
        const QChar c = text[i];
        depth += c == QLatin1Char(')') ? 1 : c == QLatin1Char('(') ? -1 : 0;
        const bool isBracketStart = c == QLatin1Char('(') && depth == 0;
        const bool isClauseEnd = depth == 0 && i + 1 < text.size() && text[i + 1] == QLatin1Char(' ')
            && QStringLiteral(".;:,").contains(c);
        if (isBracketStart || isClauseEnd)
            return i;
    }
    return -1;
}

QStringList wrapped(const QString& text, const QFont& font, int width)
{
    QTextLayout layout(text, font);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

} // namespace

QString shortenedToFit(const QString& text, const std::function<bool(const QString&)>& fits)
{
    QString shown = text;
    for (qsizetype end = shown.size(); !fits(shown); end = lastClauseStart(shown)) {
        if (end < 0)
            break;
        if (end < shown.size())
            shown = shown.left(end).trimmed();
    }
    while (!fits(shown) && shown.size() > 1) {
        const qsizetype word = shown.lastIndexOf(QLatin1Char(' '));
        shown = (word > 0 ? shown.left(word) : shown.left(shown.size() - 2)) + QChar(kEllipsis);
    }
    return shown;
}

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
    if (!m_isTight)
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
/// line.
void Headline::breakLines()
{
    const auto onOneLine = [this](const QFont& font) {
        return [this, metrics = QFontMetrics(font)](
                   const QString& text) { return metrics.horizontalAdvance(text) <= width(); };
    };
    m_isTight = false;
    QString firstLine = shortenedToFit(m_verdict, onOneLine(verdictFont()));
    m_isTight = firstLine.endsWith(QChar(kEllipsis));
    if (m_isTight) {
        const QFont bold = verdictFont();
        m_lines = wrapped(shortenedToFit(m_verdict,
                              [&](const QString& text) { return wrapped(text, bold, width()).size() <= 2; }),
            bold, width());
    } else {
        QString secondLine = m_verdict.mid(firstLine.size());
        while (!secondLine.isEmpty() && !secondLine[0].isLetterOrNumber())
            secondLine.remove(0, 1);
        secondLine = secondLine.left(1).toUpper() + secondLine.mid(1) + (secondLine.isEmpty() ? "" : " ")
            + m_details;
        m_lines = {firstLine};
        if (!secondLine.isEmpty())
            m_lines << shortenedToFit(secondLine, onOneLine(smallFont(font())));
    }
    update();
}

void Headline::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QFont bold = verdictFont();
    const QFont secondFont = m_isTight ? bold : smallFont(font());
    const int firstHeight = QFontMetrics(bold).height();
    const int totalHeight = firstHeight + (m_lines.size() > 1 ? QFontMetrics(secondFont).height() : 0);
    int top = (height() - totalHeight) / 2;
    painter.setFont(bold);
    painter.drawText(QRect(0, top, width(), firstHeight), Qt::AlignLeft | Qt::AlignVCenter, m_lines.value(0));
    if (m_lines.size() < 2)
        return;
    top += firstHeight;
    painter.setFont(secondFont);
    if (!m_isTight)
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
