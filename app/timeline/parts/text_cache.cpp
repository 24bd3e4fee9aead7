#include "app/timeline/parts/text_cache.h"

#include <cmath>

#include <QFontMetrics>
#include <QPainter>
#include <QTextLayout>

namespace highwater::gui {

namespace {

/// Of each kind of entry; a panel shows some dozens at a time.
constexpr qsizetype kMost = 2000;

template <typename Entries>
void keepSmall(Entries& entries)
{
    if (entries.size() >= kMost)
        entries.clear();
}

QStringList brokenInto(int room, const QString& text, const QFont& font)
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    QTextLayout layout(text, font);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(room);
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

} // namespace

void TextCache::setFont(const QFont& font)
{
    if (font == m_font && m_lineHeight > 0)
        return;
    m_font = font;
    m_lineHeight = QFontMetrics(font).height();
    m_texts.clear();
    m_elided.clear();
    m_lines.clear();
}

TextCache::LaidOut& TextCache::laidOut(const QString& text)
{
    if (const auto found = m_texts.find(text); found != m_texts.end())
        return *found;
    keepSmall(m_texts);
    LaidOut made;
    made.text.setTextFormat(Qt::PlainText);
    made.text.setText(text);
    made.text.prepare({}, m_font);
    made.width = static_cast<int>(std::ceil(made.text.size().width()));
    return *m_texts.insert(text, made);
}

void TextCache::draw(QPainter& painter, const QPointF& topLeft, const QString& text)
{
    painter.setFont(m_font);
    painter.drawStaticText(topLeft, laidOut(text).text);
}

QString TextCache::elidedTo(int room, const QString& text)
{
    if (width(text) <= room)
        return text;
    keepSmall(m_elided);
    const std::pair key(text, room);
    if (const auto found = m_elided.find(key); found != m_elided.end())
        return *found;
    return *m_elided.insert(key, QFontMetrics(m_font).elidedText(text, Qt::ElideMiddle, room));
}

QStringList TextCache::linesOf(int room, const QString& text)
{
    const std::pair key(text, room);
    if (const auto found = m_lines.find(key); found != m_lines.end())
        return *found;
    keepSmall(m_lines);
    return *m_lines.insert(key, width(text) <= room ? QStringList(text) : brokenInto(room, text, m_font));
}

} // namespace highwater::gui
