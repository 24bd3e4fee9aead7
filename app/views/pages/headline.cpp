#include "app/views/pages/headline.h"

#include <algorithm>

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QPainter>
#include <QRegularExpression>

#include "app/views/parts/arrange.h"
#include "app/views/parts/box_label.h"
#include "app/views/parts/elided_label.h"

namespace highwater::gui {

namespace {

constexpr double kVerdictScale = 1.25; ///< size of the verdict's font relative to the window's

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
    bold.setPointSizeF(bold.pointSizeF() * kVerdictScale);
    return bold;
}

/// Returns the font of the verdict's shown lines.
QFont Headline::shownFont() const
{
    QFont shown = verdictFont();
    if (m_isSmall)
        shown.setPointSizeF(font().pointSizeF());
    return shown;
}

QSize Headline::sizeHint() const
{
    return {600, 2 * QFontMetrics(verdictFont()).height()};
}

QString Headline::core() const
{
    const qsizetype colon = m_verdict.indexOf(QLatin1String(": "));
    const bool isFailure
        = m_verdict.left(colon).contains(QLatin1String("out of memory"), Qt::CaseInsensitive);
    static const QRegularExpression clauseEnd(QStringLiteral("[:;] "));
    return m_verdict.left( // all of it without an end
        isFailure && colon > 0 ? m_verdict.indexOf(clauseEnd, colon + 1) : colon);
}

int Headline::oneLineWidth() const
{
    return QFontMetrics(verdictFont()).horizontalAdvance(core());
}

int Headline::twoLineWidth() const
{
    const QFontMetrics metrics(verdictFont());
    const QString text = core();
    int least = oneLineWidth();
    for (qsizetype blank = text.indexOf(QLatin1Char(' ')); blank >= 0;
         blank = text.indexOf(QLatin1Char(' '), blank + 1))
        least = std::min(least,
            std::max(
                metrics.horizontalAdvance(text.left(blank)), metrics.horizontalAdvance(text.mid(blank + 1))));
    return least;
}

/// Breaks a core that is too long for one line at the last blank at which the first line fits. Returns false,
/// and changes nothing, if the core fits into one line or has no such blank.
bool Headline::breakCore(const QFontMetrics& metrics)
{
    const QString text = core();
    if (metrics.horizontalAdvance(text) <= width())
        return false;
    const auto breakOf = [&](const QString& part) {
        if (metrics.horizontalAdvance(part) <= width())
            return part.size();
        qsizetype end = -1;
        for (qsizetype blank = part.indexOf(QLatin1Char(' '));
             blank >= 0 && metrics.horizontalAdvance(part.left(blank)) <= width();
             blank = part.indexOf(QLatin1Char(' '), blank + 1))
            end = blank;
        return end;
    };
    if (breakOf(text) < 0)
        return false;
    if (const QString rest = text.mid(breakOf(text) + 1); placeOf(rest) != rest) {
        m_lines = {text.left(breakOf(text)), metrics.elidedText(rest, Qt::ElideLeft, width())};
        return true;
    }
    const QString shown = shortenedToFit(text, [&](const QString& part) {
        return metrics.horizontalAdvance(part.mid(breakOf(part) + 1)) <= width();
    });
    m_lines = {shown.left(breakOf(shown))};
    if (const QString rest = shown.mid(breakOf(shown) + 1); !rest.isEmpty())
        m_lines << rest;
    return true;
}

/// Breaks the text into the lines that are painted. Clauses cut off the verdict come first on the second
/// line.
void Headline::breakLines()
{
    update();
    m_isSmall = twoLineWidth() > width();
    const QFontMetrics metrics(shownFont());
    m_isCoreBroken = breakCore(metrics);
    if (m_isCoreBroken)
        return;
    const auto fitted = [this](const QString& text, const QFontMetrics& font) {
        return shortenedToFit(
            text, [&](const QString& part) { return font.horizontalAdvance(part) <= width(); });
    };
    QString first = fitted(m_verdict, metrics);
    if (first.size() <= core().size())
        first = core(); // the core fits, though not with an ellipsis
    const qsizetype kept = first.size() - 1;
    const bool startsVerdict = kept > 0 && m_verdict.startsWith(first.left(kept));
    if (startsVerdict && QStringLiteral(",:(").contains(m_verdict.mid(kept).trimmed().left(1)))
        first.truncate(kept); // no ellipsis, since the second line goes on
    QString second = m_details;
    if (m_verdict.startsWith(first)) {
        QString rest = m_verdict.mid(first.size());
        while (!rest.isEmpty() && QStringLiteral(" .;:,").contains(rest[0]))
            rest.remove(0, 1);
        second = rest.left(1).toUpper() + rest.mid(1) + (rest.isEmpty() ? "" : " ") + m_details;
    }
    m_lines = {first};
    if (!second.isEmpty())
        m_lines << fitted(second, QFontMetrics(smallFont(font())));
}

void Headline::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QFont bold = shownFont();
    const QFont second = m_isCoreBroken ? bold : smallFont(font());
    const int firstHeight = QFontMetrics(bold).height();
    const int totalHeight = firstHeight + (m_lines.size() > 1 ? QFontMetrics(second).height() : 0);
    int top = (height() - totalHeight) / 2;
    painter.setFont(bold);
    painter.drawText(QRect(0, top, width(), firstHeight), Qt::AlignLeft | Qt::AlignVCenter, m_lines.value(0));
    if (m_lines.size() < 2)
        return;
    top += firstHeight;
    painter.setFont(second);
    if (!m_isCoreBroken)
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
