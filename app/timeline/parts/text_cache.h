#pragma once

#include <utility>

#include <QFont>
#include <QGlyphRun>
#include <QHash>
#include <QImage>
#include <QStaticText>
#include <QStringList>

class QPainter;

namespace highwater::gui {

/// A cache of laid-out texts in one font, for widgets that follow the mouse: shaping the same words on every
/// move would cost more than everything else. A full cache is cleared. Widths and heights are in pixels of
/// the widget. Not thread-safe.
class TextCache
{
public:
    /// Sets the font; another font clears the cache. Call before all other functions.
    void setFont(const QFont& font);
    /// Height of a line, in pixels.
    int lineHeight() const { return m_lineHeight; }
    /// Width in whole pixels, rounded up.
    int width(const QString& text) { return laidOut(text).width; }
    /// Draws one line in the colour of the painter's pen.
    void draw(QPainter& painter, const QPointF& topLeft, const QString& text);
    /// Draws one line on whole pixels of a plain background, for texts that are in every frame. From the
    /// second time on, it may copy a cached picture of text and background, which takes a third of the time.
    void drawOn(QPainter& painter, const QPointF& topLeft, const QString& text, const QColor& background);
    /// Returns the text, elided in the middle or by `mode` if it is wider than `room`.
    QString elidedTo(int room, const QString& text, Qt::TextElideMode mode = Qt::ElideMiddle);
    /// Breaks the text into lines no wider than `room`, between words, or within words if needed. Returns at
    /// least one line.
    QStringList linesOf(int room, const QString& text);

private:
    /// A part that is shaped at once: a digit, or the text between digits.
    struct Part
    {
        QGlyphRun glyphs; ///< empty if nothing is visible, or the glyphs are of several fonts
        double width = 0;
        bool isOfOneFont = true;
    };

    struct LaidOut
    {
        QGlyphRun glyphs;
        QStaticText text; ///< used instead of `glyphs` if no single font has all of them
        bool isOfOneFont = true;
        int width = 0;
    };

    /// Text, colours and resolution of a cached picture.
    struct PictureKey
    {
        QString text;
        QRgb ink = 0;
        QRgb background = 0;
        int pixels = 1; ///< pixels of the screen per pixel of the widget
        bool operator==(const PictureKey&) const = default;
    };
    friend std::size_t qHash(const PictureKey& key, std::size_t seed)
    {
        return qHashMulti(seed, key.text, key.ink, key.background, key.pixels);
    }

    QImage pictureOf(const PictureKey& key);
    Part partOf(const QString& text);
    bool composeFromParts(const QString& text, LaidOut& result);
    LaidOut& laidOut(const QString& text);

    QFont m_font;
    int m_lineHeight = 0;
    QHash<QString, Part> m_parts;
    QHash<QString, LaidOut> m_texts;
    QHash<PictureKey, QImage> m_pictures; ///< null until the text is drawn a second time
    QHash<std::pair<QString, std::pair<int, int>>, QString> m_elided;
    QHash<std::pair<QString, int>, QStringList> m_lines;
};

} // namespace highwater::gui
