#include "app/views/parts/elided_label.h"

#include <algorithm>

#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

namespace highwater::gui {

namespace {

constexpr char16_t kEllipsis = u'…';

/// Returns the position of the mark, bracket or " and " that begins the last clause; −1 if there is only one
/// clause.
qsizetype lastClauseStart(const QString& text)
{
    int depth = 0;
    for (qsizetype i = text.size() - 1; i > 0; --i) {
        const QChar c = text[i];
        depth += c == QLatin1Char(')') ? 1 : c == QLatin1Char('(') ? -1 : 0;
        // A place such as (model.py:12) has no space and is no clause.
        const bool isBracketStart = c == QLatin1Char('(') && depth == 0
            && text.mid(i, text.indexOf(QLatin1Char(')'), i) - i).contains(QLatin1Char(' '));
        const bool isClauseEnd = depth == 0 && i + 1 < text.size() && text[i + 1] == QLatin1Char(' ')
            && QStringLiteral(".;:,").contains(c);
        const bool isAnd = depth == 0 && !QStringLiteral(".;:,").contains(text[i - 1])
            && QStringView(text).mid(i).startsWith(u" and ");
        if (isBracketStart || isClauseEnd || isAnd)
            return i;
    }
    return -1;
}

/// Returns the text without its last clause, which begins at `start`; with an ellipsis unless a whole
/// sentence or main clause is left.
QString withoutLastClause(const QString& text, qsizetype start)
{
    const bool isBracket = text[start] == QLatin1Char('(');
    const QString rest = text.mid((isBracket ? text.lastIndexOf(QLatin1Char(')')) : start) + 1);
    const bool isWhole = isBracket ? rest.isEmpty() || rest == QLatin1String(".")
                                   : text[start] == QLatin1Char('.') || text[start] == QLatin1Char(';');
    return text.left(start).trimmed() + (isWhole ? QString() : QString(QChar(kEllipsis)));
}

bool isFigure(QStringView word)
{
    return std::ranges::any_of(
        word.first(std::min<qsizetype>(word.size(), 2)), [](QChar c) { return c.isDigit(); });
}

/// Returns the position of the mark before the last part of a long name, as of "torch.nn.functional"; −1 if
/// the text ends with another word.
qsizetype lastNamePart(const QString& text)
{
    constexpr qsizetype kLongName = 16;
    const qsizetype begin = text.lastIndexOf(QLatin1Char(' ')) + 1;
    if (text.size() - begin < kLongName || !text[begin].isLetter())
        return -1;
    for (qsizetype i = text.size() - 2; i > begin; --i)
        if (QStringLiteral("._/").contains(text[i]))
            return i;
    return -1;
}

/// Returns the text without its last word, and without a number before it, because the word may be its unit:
/// "take 10.61 GiB" becomes "take…", and "10.61 GiB" becomes "…". A name of 16 characters or more loses only
/// its last part. A single word loses its last letter, or a number at its end.
QString withoutLastWord(QString text)
{
    if (text.endsWith(QChar(kEllipsis)))
        text.chop(1);
    if (const qsizetype part = lastNamePart(text); part >= 0)
        return text.left(part) + QChar(kEllipsis);
    qsizetype end = text.lastIndexOf(QLatin1Char(' '));
    while (end > 0) {
        const qsizetype before = text.lastIndexOf(QLatin1Char(' '), end - 1);
        if (!isFigure(QStringView(text).mid(before + 1, end - before - 1))) {
            const bool hasMark = QStringLiteral(",;:").contains(text[end - 1]);
            return text.left(hasMark ? end - 1 : end) + QChar(kEllipsis);
        }
        end = before;
    }
    if (isFigure(text))
        return QChar(kEllipsis);
    do
        text.chop(1);
    while (!text.isEmpty() && (text.back().isDigit() || QStringLiteral(".,").contains(text.back())));
    return text + QChar(kEllipsis);
}

} // namespace

QString shortenedToFit(const QString& text, const std::function<bool(const QString&)>& fits)
{
    QString words = text;
    while (!fits(words) && words.size() > 1)
        words = withoutLastWord(words);
    QString clauses = text;
    for (qsizetype start = lastClauseStart(clauses); start >= 0 && !fits(clauses);
         start = lastClauseStart(clauses))
        clauses = withoutLastClause(clauses, start);
    const bool saysEnough = 2 * clauses.size() >= words.size(); // false for "Next…" of "Next: …"
    return saysEnough && fits(clauses) ? clauses : words;
}

QString shortenedTo(int room, const QString& text, const QFontMetrics& font)
{
    return shortenedToFit(text, [&](const QString& part) { return font.horizontalAdvance(part) <= room; });
}

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidedLabel::shown() const
{
    return shortenedTo(contentsRect().width(), text(), fontMetrics());
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
