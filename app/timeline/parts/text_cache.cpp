#include "app/timeline/parts/text_cache.h"

#include <algorithm>
#include <cmath>

#include <QFontMetrics>
#include <QPaintEngine>
#include <QPainter>
#include <QRegularExpression>
#include <QTextLayout>

namespace highwater::gui {

namespace {

/// Maximum number of entries of each kind but pictures; a panel shows some dozens at a time.
constexpr qsizetype kMaxEntries = 2000;
constexpr qsizetype kMaxPictures = 400; ///< some kilobytes each
constexpr int kOverhang = 1; ///< glyphs may extend this far beyond the sides of a text
constexpr double kAnyWidth = 1e6;

/// True for a recording or a document, in which a text stays a text. Glyphs would become shapes there.
bool keepsTexts(const QPainter& painter)
{
    const QPaintEngine::Type type = painter.paintEngine()->type();
    return type == QPaintEngine::Picture || type == QPaintEngine::SVG || type == QPaintEngine::Pdf;
}

template <typename Entries>
void clearIfFull(Entries& entries, qsizetype most = kMaxEntries)
{
    if (entries.size() >= most)
        entries.clear();
}

bool isDigit(QChar character)
{
    return character >= QLatin1Char('0') && character <= QLatin1Char('9');
}

/// True if digits may be shaped separately from the other characters, which is wrong in scripts that join
/// adjacent characters.
bool isLatin(const QString& text)
{
    constexpr char16_t end = 0x250;
    return std::all_of(text.begin(), text.end(), [](QChar character) { return character.unicode() < end; });
}

QStringList wrappedLines(int room, const QString& text, const QFont& font)
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    // Qt would end a line inside "model.py:54"; a letter about as wide keeps it whole.
    static const QRegularExpression beforeLine(QStringLiteral(":(?=[0-9])"));
    QTextLayout layout(QString(text).replace(beforeLine, QStringLiteral("t")), font);
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
    m_parts.clear();
    m_texts.clear();
    m_pictures.clear();
    m_elided.clear();
    m_lines.clear();
}

TextCache::Part TextCache::partOf(const QString& text)
{
    if (const auto found = m_parts.find(text); found != m_parts.end())
        return *found;
    clearIfFull(m_parts);
    QTextOption option(Qt::AlignLeft);
    option.setWrapMode(QTextOption::NoWrap);
    option.setFlags(QTextOption::IncludeTrailingSpaces);
    QTextLayout layout(text, m_font);
    layout.setTextOption(option);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(kAnyWidth);
    layout.endLayout();
    const QList<QGlyphRun> shaped = layout.glyphRuns();
    const Part part{
        shaped.size() == 1 ? shaped.front() : QGlyphRun(), line.naturalTextWidth(), shaped.size() <= 1};
    return *m_parts.insert(text, part);
}

/// Builds the text from its parts: digits, and the text between digits. Returns false if no single font has
/// glyphs for all parts.
bool TextCache::composeFromParts(const QString& text, LaidOut& result)
{
    QList<quint32> glyphs;
    QList<QPointF> positions;
    double width = 0;
    const bool splitsDigits = isLatin(text);
    for (qsizetype from = 0; from < text.size();) {
        qsizetype to = splitsDigits ? from + 1 : text.size();
        while (to < text.size() && !isDigit(text[from]) && !isDigit(text[to]))
            ++to;
        const Part part = partOf(text.mid(from, to - from));
        from = to;
        if (!part.isOfOneFont)
            return false;
        if (!part.glyphs.isEmpty()) {
            if (!glyphs.isEmpty() && part.glyphs.rawFont() != result.glyphs.rawFont())
                return false;
            result.glyphs.setRawFont(part.glyphs.rawFont());
            glyphs += part.glyphs.glyphIndexes();
            for (const QPointF& position : part.glyphs.positions())
                positions << position + QPointF(width, 0);
        }
        width += part.width;
    }
    result.glyphs.setGlyphIndexes(glyphs);
    result.glyphs.setPositions(positions);
    result.width = static_cast<int>(std::ceil(width));
    return true;
}

TextCache::LaidOut& TextCache::laidOut(const QString& text)
{
    if (const auto found = m_texts.find(text); found != m_texts.end())
        return *found;
    clearIfFull(m_texts);
    LaidOut result;
    result.isOfOneFont = composeFromParts(text, result);
    if (!result.isOfOneFont) {
        result.text.setTextFormat(Qt::PlainText);
        result.text.setText(text);
        result.text.prepare({}, m_font);
        result.width = static_cast<int>(std::ceil(result.text.size().width()));
    }
    return *m_texts.insert(text, result);
}

void TextCache::draw(QPainter& painter, const QPointF& topLeft, const QString& text)
{
    const LaidOut& layout = laidOut(text);
    if (keepsTexts(painter)) {
        painter.setFont(m_font);
        painter.drawText(topLeft + QPointF(0, QFontMetrics(m_font).ascent()), text);
        return;
    }
    if (layout.isOfOneFont) {
        painter.drawGlyphRun(topLeft, layout.glyphs);
        return;
    }
    painter.setFont(m_font);
    painter.drawStaticText(topLeft, layout.text);
}

QImage TextCache::pictureOf(const PictureKey& key)
{
    QImage picture(QSize(width(key.text) + 2 * kOverhang, m_lineHeight) * key.pixels, QImage::Format_RGB32);
    picture.setDevicePixelRatio(key.pixels);
    picture.fill(key.background);
    QPainter painter(&picture);
    painter.setPen(QColor::fromRgba(key.ink));
    draw(painter, {kOverhang, 0}, key.text);
    return picture;
}

void TextCache::drawOn(
    QPainter& painter, const QPointF& topLeft, const QString& text, const QColor& background)
{
    const double pixels = painter.device()->devicePixelRatio();
    const QPointF corner(std::round(topLeft.x()), std::round(topLeft.y()));
    if (pixels != std::floor(pixels) || keepsTexts(painter)) { // a picture would be scaled
        draw(painter, corner, text);
        return;
    }
    const PictureKey key{text, painter.pen().color().rgba(), background.rgba(), static_cast<int>(pixels)};
    const auto found = m_pictures.find(key);
    if (found == m_pictures.end()) {
        draw(painter, corner, text);
        clearIfFull(m_pictures, kMaxPictures);
        m_pictures.insert(key, {});
        return;
    }
    if (found->isNull())
        *found = pictureOf(key);
    painter.drawImage(corner - QPointF(kOverhang, 0), *found);
}

QString TextCache::elidedTo(int room, const QString& text, Qt::TextElideMode mode)
{
    if (width(text) <= room)
        return text;
    clearIfFull(m_elided);
    const std::pair key(text, std::pair(room, static_cast<int>(mode)));
    if (const auto found = m_elided.find(key); found != m_elided.end())
        return *found;
    return *m_elided.insert(key, QFontMetrics(m_font).elidedText(text, mode, room));
}

QStringList TextCache::linesOf(int room, const QString& text)
{
    const std::pair key(text, room);
    if (const auto found = m_lines.find(key); found != m_lines.end())
        return *found;
    clearIfFull(m_lines);
    return *m_lines.insert(key, width(text) <= room ? QStringList(text) : wrappedLines(room, text, m_font));
}

} // namespace highwater::gui
