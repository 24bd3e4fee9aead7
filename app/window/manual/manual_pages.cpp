#include "app/window/manual/manual_pages.h"

#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QStringList>

namespace highwater::gui {

namespace {

/// Returns the text of a page; empty if there is no such page.
QString readPage(const QString& file)
{
    QFile page(QStringLiteral(":/manual/") + file);
    return page.open(QIODevice::ReadOnly) ? QString::fromUtf8(page.readAll()) : QString();
}

/// Returns the text of a heading without Markdown for code and links.
QString withoutMarks(QString text)
{
    static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
    return text.replace(link, QStringLiteral("\\1")).remove(QLatin1Char('`')).trimmed();
}

/// Returns the anchor of a heading, not yet unique.
QString anchorOf(const QString& heading)
{
    QString anchor;
    for (const QChar c : heading.toLower())
        if (c == QLatin1Char(' '))
            anchor += QLatin1Char('-');
        else if (c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_'))
            anchor += c;
    return anchor;
}

/// Returns the files that a page links to, in order, relative to the manual's folder.
QStringList linkedFrom(const QString& file)
{
    static const QRegularExpression link(QStringLiteral("\\]\\(((?:[a-z-]+/)?(?:[a-z-]+|README)\\.md)\\)"));
    const QString folder = file.left(file.lastIndexOf(QLatin1Char('/')) + 1);
    QStringList files;
    for (const QRegularExpressionMatch& match : link.globalMatch(readPage(file)))
        files << folder + match.captured(1);
    return files;
}

} // namespace

std::vector<ManualHeading> headingsOf(const QString& markdown)
{
    std::vector<ManualHeading> headings;
    QHash<QString, int> usesOfAnchor;
    bool isCode = false;
    for (const QString& line : markdown.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("```")))
            isCode = !isCode;
        int level = 0;
        while (level < line.size() && line[level] == QLatin1Char('#'))
            ++level;
        if (isCode || level == 0 || level == line.size() || line[level] != QLatin1Char(' '))
            continue;
        const QString text = withoutMarks(line.mid(level + 1));
        QString anchor = anchorOf(text);
        if (const int earlierUses = usesOfAnchor[anchor]++; earlierUses > 0)
            anchor += QStringLiteral("-%1").arg(earlierUses);
        headings.push_back({level, text, anchor});
    }
    return headings;
}

std::vector<ManualPage> manualPages()
{
    QStringList files{QStringLiteral("README.md")};
    for (const QString& file : linkedFrom(files.front())) {
        files << file;
        if (file.endsWith(QLatin1String("/README.md")))
            files << linkedFrom(file);
    }
    files.removeDuplicates();
    std::vector<ManualPage> pages;
    for (const QString& file : files)
        if (const QString text = readPage(file); !text.isEmpty())
            pages.push_back({file, text, headingsOf(text)});
    return pages;
}

QString manualUrl(const QString& file, const QString& anchor)
{
    return QStringLiteral("qrc:/manual/") + file + (anchor.isEmpty() ? QString() : QLatin1Char('#') + anchor);
}

} // namespace highwater::gui
