#include "app/views/parts/shortened_text.h"

namespace highwater::gui {

namespace {

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

} // namespace highwater::gui
