#include "app/views/parts/elided_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace highwater::gui {

namespace {

constexpr char16_t kEllipsis = u'…';

/// Returns the position of the mark or bracket that begins the last clause; −1 if there is only one clause.
qsizetype lastClauseStart(const QString& text)
{
    int depth = 0;
    for (qsizetype i = text.size() - 1; i > 0; --i) {
        const QChar c = text[i];
        depth += c == QLatin1Char(')') ? 1 : c == QLatin1Char('(') ? -1 : 0;
        const bool isBracketStart = c == QLatin1Char('(') && depth == 0
            && text.mid(i, text.indexOf(QLatin1Char(')'), i) - i).contains(QLatin1Char(' ')); // no place
        const bool isClauseEnd = depth == 0 && i + 1 < text.size() && text[i + 1] == QLatin1Char(' ')
            && QStringLiteral(".;:,").contains(c);
        if (isBracketStart || isClauseEnd)
            return i;
    }
    return -1;
}

/// Returns the text without its last clause, which begins at `start`; with an ellipsis unless a whole
/// sentence is left.
QString withoutLastClause(const QString& text, qsizetype start)
{
    const bool isBracket = text[start] == QLatin1Char('(');
    const QString rest = text.mid((isBracket ? text.lastIndexOf(QLatin1Char(')')) : start) + 1);
    const bool isWhole = isBracket ? rest.isEmpty() || rest == QLatin1String(".")
                                   : text[start] == QLatin1Char('.') || text[start] == QLatin1Char(';');
    return text.left(start).trimmed() + (isWhole ? QString() : QString(QChar(kEllipsis)));
}

/// Leaves a figure out that the ellipsis would cut: "22.62 GiB in 1,42…" becomes "22.62 GiB in…".
QString withWholeFigures(const QString& text, const QString& shown)
{
    const qsizetype word = shown.lastIndexOf(QLatin1Char(' '));
    const bool isCutFigure
        = shown != text && word > 0 && shown.size() > word + 2 && shown[word + 1].isDigit();
    return isCutFigure ? shown.left(word) + QChar(kEllipsis) : shown;
}

} // namespace

QString shortenedToFit(const QString& text, const std::function<bool(const QString&)>& fits)
{
    QString shown = text;
    for (qsizetype start = lastClauseStart(shown); start >= 0 && !fits(shown); start = lastClauseStart(shown))
        shown = withoutLastClause(shown, start);
    while (!fits(shown) && shown.size() > 1) {
        const qsizetype word = shown.lastIndexOf(QLatin1Char(' '));
        shown = (word > 0 ? shown.left(word) : shown.left(shown.size() - 2)) + QChar(kEllipsis);
    }
    return shown;
}

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidedLabel::shown() const
{
    const int room = contentsRect().width();
    if (!m_cutByClauses)
        return withWholeFigures(text(), fontMetrics().elidedText(text(), Qt::ElideRight, room));
    return shortenedToFit(
        text(), [this, room](const QString& part) { return fontMetrics().horizontalAdvance(part) <= room; });
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft),
        palette(), isEnabled(), shown(), foregroundRole());
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || shown() == text())
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
    return true;
}

} // namespace highwater::gui
