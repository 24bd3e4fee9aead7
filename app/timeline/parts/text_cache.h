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

/// Texts in one font, laid out once each. For what follows the mouse: shaping the same words with every move
/// would cost more than all the rest. A text that only has other figures than one before is put together of
/// parts that are known. Forgets everything when it has grown large.
class TextCache
{
public:
    /// Forgets everything if it is another font.
    void setFont(const QFont& font);
    /// Height of a line, in pixels.
    int lineHeight() const { return m_lineHeight; }
    /// In whole pixels, rounded up.
    int width(const QString& text) { return laidOut(text).width; }
    /// One line; the colour is that of the painter's pen.
    void draw(QPainter& painter, const QPointF& topLeft, const QString& text);
    /// The same over one colour, on whole pixels, for what is drawn in every frame: from the second time on
    /// it copies a picture of both, which takes a third of blending every glyph.
    void drawOn(QPainter& painter, const QPointF& topLeft, const QString& text, const QColor& background);
    /// The text, or what fits of its two ends, or of its beginning.
    QString elidedTo(int room, const QString& text, Qt::TextElideMode mode = Qt::ElideMiddle);
    /// The text in lines no wider than `room`, broken between words, and within them where that is not
    /// enough. At least one.
    QStringList linesOf(int room, const QString& text);

private:
    /// What is shaped at once: a digit, or what is between digits.
    struct Part
    {
        QGlyphRun glyphs; ///< empty: nothing to see, or glyphs of several fonts
        double width = 0;
        bool isOfOneFont = true;
    };

    struct LaidOut
    {
        QGlyphRun glyphs;
        QStaticText text; ///< instead of `glyphs`, where one font does not have them all
        bool isOfOneFont = true;
        int width = 0;
    };

    /// How a picture looks.
    struct PictureKey
    {
        QString text;
        QRgb ink = 0;
        QRgb background = 0;
        int pixels = 1; ///< of the screen, for each of the widget's
        bool operator==(const PictureKey&) const = default;
    };
    friend std::size_t qHash(const PictureKey& key, std::size_t seed)
    {
        return qHashMulti(seed, key.text, key.ink, key.background, key.pixels);
    }

    QImage pictureOf(const PictureKey& key);
    Part partOf(const QString& text);
    bool compose(const QString& text, LaidOut& made);
    LaidOut& laidOut(const QString& text);

    QFont m_font;
    int m_lineHeight = 0;
    QHash<QString, Part> m_parts;
    QHash<QString, LaidOut> m_texts;
    QHash<PictureKey, QImage> m_pictures; ///< null until the text is drawn again
    QHash<std::pair<QString, std::pair<int, int>>, QString> m_elided;
    QHash<std::pair<QString, int>, QStringList> m_lines;
};

} // namespace highwater::gui
