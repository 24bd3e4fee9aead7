#include "app/views/picture/picture_sheet.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

namespace {

constexpr double kSheetMargin = 16;
constexpr double kTitleGap = 8; ///< below the title
constexpr double kHeadlineScale = 1.25; ///< as in the bar above the timeline
constexpr double kDetailScale = 11.0 / 12;
constexpr int kTitleFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
constexpr double kAnyTitleHeight = 10'000;

/// The size of a sheet in units, and how large a unit becomes. The texts of the window, which are as many
/// units high as they have pixels on screen, are legible then.
struct SheetFormat
{
    QSizeF size; ///< follows the view if empty
    bool hasFixedHeight; ///< false if the title makes the sheet higher than `size`
    double pixelRatio;
    double unit;
};

SheetFormat formatOf(PicturePreset preset)
{
    constexpr double columnUnits = 400;
    constexpr double columnPixels = 85 / 25.4 * 96;
    switch (preset) {
    case PicturePreset::Slide: return {{1280, 720}, true, 1.5, 1.5};
    case PicturePreset::Paper: return {{columnUnits, 280}, false, 5, columnPixels / columnUnits};
    case PicturePreset::Screen: break;
    }
    return {{}, false, 2, 1};
}

/// The title as it is set on a sheet of this width.
class SheetTitle
{
public:
    SheetTitle(PictureTitle title, double width)
        : m_title(std::move(title))
        , m_bold(QApplication::font())
        , m_small(QApplication::font())
        , m_width(std::max(1.0, width - 2 * kSheetMargin))
    {
        m_small.setPointSizeF(QFontInfo(m_small).pointSizeF() * kDetailScale);
        m_bold.setBold(true);
        m_bold.setPointSizeF(QFontInfo(m_bold).pointSizeF() * kHeadlineScale);
    }

    bool isEmpty() const { return m_title.headline.isEmpty() && m_title.detail.isEmpty(); }
    double height() const
    {
        return isEmpty()
            ? 0
            : kTitleGap + heightOf(m_title.headline, m_bold) + heightOf(m_title.detail, m_small) + kTitleGap;
    }

    void paint(QPainter& painter, const QColor& ink, const QColor& quietInk) const
    {
        const double headlineHeight = heightOf(m_title.headline, m_bold);
        painter.setFont(m_bold);
        painter.setPen(ink);
        painter.drawText(
            QRectF(kSheetMargin, kTitleGap, m_width, headlineHeight), kTitleFlags, m_title.headline);
        painter.setFont(m_small);
        painter.setPen(quietInk);
        painter.drawText(QRectF(kSheetMargin, kTitleGap + headlineHeight, m_width, kAnyTitleHeight),
            kTitleFlags, m_title.detail);
    }

private:
    double heightOf(const QString& text, const QFont& font) const
    {
        if (text.isEmpty())
            return 0;
        // Whole pixels keep the picture below sharp.
        return std::ceil(QFontMetricsF(font)
                             .boundingRect(QRectF(0, 0, m_width, kAnyTitleHeight), kTitleFlags, text)
                             .height());
    }

    PictureTitle m_title;
    QFont m_bold;
    QFont m_small;
    double m_width;
};

struct SheetColors
{
    QColor background;
    QColor ink;
    QColor quietInk;
};

/// Returns the colours of a sheet: those on white, or those of the window.
SheetColors colorsOn(bool isWhite)
{
    if (isWhite) {
        const ThemeColors light = ThemeColors::light();
        return {Qt::white, light.text, light.quietText};
    }
    const QPalette palette = QApplication::palette();
    return {palette.color(QPalette::Base), palette.color(QPalette::Text),
        palette.color(QPalette::PlaceholderText)};
}

/// Returns the room for the view on a sheet of fixed width. The title takes some of it only if the height is
/// fixed, too.
QSizeF roomFor(const SheetFormat& format, double titleHeight)
{
    return format.hasFixedHeight ? format.size - QSizeF(0, titleHeight) : format.size;
}

/// Returns the size of the sheet: fixed by the format, or the picture with the title above it.
QSizeF sheetSize(const SheetFormat& format, const Picture& body, double titleHeight)
{
    if (format.hasFixedHeight)
        return format.size;
    const double width = format.size.isEmpty() ? body.size().width() : format.size.width();
    return {width, titleHeight + body.size().height() * width / body.size().width()};
}

} // namespace

PictureOffer figureOffer(Figure figure)
{
    return {[picture = Picture(std::move(figure))](const PictureRoom&) { return picture; }, {}};
}

PictureSheet pictureSheet(const PictureOffer& offer, PicturePreset preset)
{
    if (!offer.source)
        return {};
    const SheetFormat format = formatOf(preset);
    const bool isFixed = !format.size.isEmpty();
    PictureRoom room{.isOnWhite = isFixed, .pixelRatio = format.pixelRatio};
    if (isFixed)
        room.size = roomFor(format, SheetTitle(offer.title, format.size.width()).height());
    const Picture body = offer.source(room);
    if (body.isEmpty())
        return {};
    const SheetTitle title(offer.title, isFixed ? format.size.width() : body.size().width());
    if (!isFixed && title.isEmpty())
        return {body, {}, format.pixelRatio, format.unit};
    const QSizeF size = sheetSize(format, body, title.height());
    const auto paint = [=, colors = colorsOn(isFixed)](QPainter& painter) {
        painter.fillRect(QRectF({}, size), colors.background);
        title.paint(painter, colors.ink, colors.quietInk);
        const QRectF place(0, title.height(), size.width(), size.height() - title.height());
        const double scale
            = std::min(place.width() / body.size().width(), place.height() / body.size().height());
        painter.save();
        painter.translate((size.width() - body.size().width() * scale) / 2, place.top());
        painter.scale(scale, scale);
        body.paint(painter);
        painter.restore();
    };
    return {Picture(size, paint), offer.title.headline, format.pixelRatio, format.unit};
}

} // namespace highwater::gui
