#include "app/workspace/note_badge.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <QStringList>

#include "app/workspace/qt_text.h"

namespace highwater::gui {

namespace {

constexpr std::size_t kMostNumbers = 2;
constexpr qsizetype kMostTitles = 12;

QFont badgeFont(const QFont& font)
{
    QFont bold = font;
    bold.setBold(true);
    return bold;
}

/// More than fit a screen.
constexpr qsizetype kMostKept = 4000;

QPixmap blank(const QSizeF& size, double pixels)
{
    QPixmap pixmap((size * pixels).toSize());
    pixmap.setDevicePixelRatio(pixels);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

} // namespace

QColor noteQColor(NoteColor color)
{
    return QColor::fromRgb(noteColor(color));
}

QString noteColorName(NoteColor color)
{
    const QString name = toQString(toText(color));
    return name.left(1).toUpper() + name.mid(1);
}

QString numbersText(std::vector<int> numbers)
{
    std::ranges::sort(numbers);
    const int spread = numbers.back() - numbers.front();
    if (spread == 0)
        return QString::number(numbers.front());
    if (static_cast<std::size_t>(spread) + 1 == numbers.size())
        return QStringLiteral("%1–%2").arg(numbers.front()).arg(numbers.back());
    if (numbers.size() > kMostNumbers)
        return QObject::tr("%1 notes").arg(numbers.size());
    QStringList texts;
    for (const int number : numbers)
        texts << QString::number(number);
    return texts.join(QStringLiteral(", "));
}

NoteBadge badgeOf(const std::vector<const NoteFlag*>& flags)
{
    std::vector<int> numbers;
    QStringList titles;
    for (const NoteFlag* flag : flags) {
        numbers.push_back(flag->number);
        if (titles.size() < kMostTitles)
            titles << QStringLiteral("%1  %2")
                          .arg(flag->number)
                          .arg(flag->title.empty() ? QObject::tr("Untitled") : toQString(flag->title));
    }
    if (static_cast<qsizetype>(flags.size()) > kMostTitles)
        titles << QStringLiteral("…");
    return {
        numbersText(std::move(numbers)), noteQColor(flags.front()->color), titles.join(QLatin1Char('\n'))};
}

void paintNotes(QPainter& painter, const QRectF& chart, const std::vector<NotedPlace>& places)
{
    const QFontMetricsF metrics(badgeFont(painter.font()));
    const double narrowest = badgeSize(metrics, QStringLiteral("1")).width();
    for (std::size_t first = 0; first < places.size();) {
        std::vector<const NoteFlag*> notes;
        double right = places[first].x + narrowest / 2;
        std::size_t last = first;
        for (; last < places.size() && places[last].x - narrowest / 2 < right; ++last) {
            const NotedPlace& place = places[last];
            painter.fillRect(QRectF(place.x, chart.top(), 1, place.bottom - chart.top()),
                noteQColor(place.notes.front()->color));
            notes.insert(notes.end(), place.notes.begin(), place.notes.end());
            right = places[first].x + narrowest * 1.5;
        }
        const NoteBadge badge = badgeOf(notes);
        const QSizeF size = badgeSize(metrics, badge.text);
        const double middle = (places[first].x + places[last - 1].x) / 2;
        const double left
            = std::max(chart.left(), std::min(middle - size.width() / 2, chart.right() - size.width()));
        paintBadge(painter, QRectF(QPointF(left, chart.top()), size), badge.text, badge.color);
        first = last;
    }
}

QSizeF badgeSize(const QFontMetricsF& metrics, const QString& text)
{
    const double height = std::ceil(metrics.height() + 1); // whole pixels: sharp edges
    return {std::max(height, std::ceil(metrics.horizontalAdvance(text) + 9)), height};
}

void paintBadge(QPainter& painter, const QRectF& rect, const QString& text, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(rect, 2.5, 2.5);
    painter.setFont(badgeFont(painter.font()));
    painter.setPen(Qt::white);
    painter.drawText(rect, Qt::AlignCenter, text);
    painter.restore();
}

namespace {

QPixmap painted(
    const QString& text, const QColor& color, const QSizeF& size, const QFont& font, double pixelRatio)
{
    QPixmap pixmap = blank(size, pixelRatio);
    QPainter painter(&pixmap);
    painter.setFont(font);
    paintBadge(painter, QRectF(QPointF(0, 0), size), text, color);
    return pixmap;
}

} // namespace

QPixmap badgePixmap(const NoteBadge& badge, const QFont& font)
{
    const QSizeF size = badgeSize(QFontMetricsF(badgeFont(font)), badge.text);
    return painted(badge.text, badge.color, size, font, qGuiApp->devicePixelRatio());
}

void BadgeCache::setFont(const QFont& font, double pixelRatio)
{
    if (font == m_font && pixelRatio == m_pixelRatio)
        return;
    m_font = font;
    m_pixelRatio = pixelRatio;
    m_sizes.clear();
    m_badges.clear();
}

QSizeF BadgeCache::size(const QString& text)
{
    if (m_sizes.size() > kMostKept)
        m_sizes.clear();
    const auto known = m_sizes.constFind(text);
    if (known != m_sizes.constEnd())
        return *known;
    return *m_sizes.insert(text, badgeSize(QFontMetricsF(badgeFont(m_font)), text));
}

void BadgeCache::paint(QPainter& painter, const QPointF& topLeft, const QString& text, const QColor& color)
{
    if (m_badges.size() > kMostKept)
        m_badges.clear();
    QPixmap& badge = m_badges[{text, color.rgb()}];
    if (badge.isNull())
        badge = painted(text, color, size(text), m_font, m_pixelRatio);
    painter.drawPixmap(topLeft.toPoint(), badge);
}

QPixmap emptyBadgePixmap(const QFont& font)
{
    return blank(badgeSize(QFontMetricsF(badgeFont(font)), QStringLiteral("1")), qGuiApp->devicePixelRatio());
}

} // namespace highwater::gui
