#include "app/workspace/theme/note_badge.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>
#include <QStringList>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

constexpr std::size_t kMaxNumbers = 2;
constexpr qsizetype kMaxTitles = 12;

QFont badgeFont(const QFont& font)
{
    QFont bold = font;
    bold.setBold(true);
    return bold;
}

/// Maximum number of cached sizes and badges, which is more than fits on a screen.
constexpr qsizetype kMaxCached = 4000;

QPixmap transparentPixmap(const QSizeF& size, double pixelRatio)
{
    QPixmap pixmap((size * pixelRatio).toSize());
    pixmap.setDevicePixelRatio(pixelRatio);
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
    if (numbers.size() > kMaxNumbers)
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
        if (titles.size() < kMaxTitles)
            titles << QStringLiteral("%1  %2")
                          .arg(flag->number)
                          .arg(flag->title.empty() ? QObject::tr("Untitled") : toQString(flag->title));
    }
    if (static_cast<qsizetype>(flags.size()) > kMaxTitles)
        titles << QStringLiteral("…");
    return {
        numbersText(std::move(numbers)), noteQColor(flags.front()->color), titles.join(QLatin1Char('\n'))};
}

namespace {

/// The badge of places whose flags would overlap.
struct SharedBadge
{
    double first = 0; ///< x of the first place
    double last = 0;
    std::vector<const NoteFlag*> notes;
    QRectF rect;
};

/// Centres the badge over its places, inside the chart.
void placeBadge(SharedBadge& badge, const QFontMetricsF& metrics, const QRectF& chart)
{
    std::vector<int> numbers;
    for (const NoteFlag* note : badge.notes)
        if (numbers.size() <= kMaxNumbers)
            numbers.push_back(note->number);
    const bool showsCount = badge.notes.size() > kMaxNumbers; // numbersText is not longer than this
    const QString text
        = showsCount ? QStringLiteral("%1 notes").arg(badge.notes.size()) : numbersText(std::move(numbers));
    const QSizeF size = badgeSize(metrics, text);
    const double left = (badge.first + badge.last - size.width()) / 2;
    badge.rect = QRectF(
        QPointF(std::max(chart.left(), std::min(left, chart.right() - size.width())), chart.top()), size);
}

} // namespace

void paintNotes(QPainter& painter, const QRectF& chart, const std::vector<NotedPlace>& places)
{
    const QFontMetricsF metrics(badgeFont(painter.font()));
    std::vector<SharedBadge> badges;
    for (const NotedPlace& noted : places) {
        painter.fillRect(QRectF(noted.x, chart.top(), 1, noted.bottom - chart.top()),
            noteQColor(noted.notes.front()->color));
        SharedBadge badge{noted.x, noted.x, noted.notes, {}};
        placeBadge(badge, metrics, chart);
        while (!badges.empty() && badges.back().rect.right() >= badge.rect.left()) {
            SharedBadge& previous = badges.back();
            previous.notes.insert(previous.notes.end(), badge.notes.begin(), badge.notes.end());
            previous.last = badge.last;
            badge = std::move(previous);
            badges.pop_back();
            placeBadge(badge, metrics, chart);
        }
        badges.push_back(std::move(badge));
    }
    for (const SharedBadge& badge : badges) {
        const NoteBadge merged = badgeOf(badge.notes);
        const QSizeF size = badgeSize(metrics, merged.text);
        const QRectF rect(QPointF(badge.rect.center().x() - size.width() / 2, chart.top()), size);
        paintBadge(painter, rect, merged.text, merged.color);
    }
}

QSizeF badgeSize(const QFontMetricsF& metrics, const QString& text)
{
    const double height = std::ceil(metrics.height() + 1); // whole pixels for sharp edges
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

QPixmap paintedBadge(
    const QString& text, const QColor& color, const QSizeF& size, const QFont& font, double pixelRatio)
{
    QPixmap pixmap = transparentPixmap(size, pixelRatio);
    QPainter painter(&pixmap);
    painter.setFont(font);
    paintBadge(painter, QRectF(QPointF(0, 0), size), text, color);
    return pixmap;
}

} // namespace

QPixmap badgePixmap(const std::vector<const NoteFlag*>& notes)
{
    const QFont font = QGuiApplication::font();
    const QFontMetricsF metrics(badgeFont(font));
    if (notes.empty())
        return transparentPixmap(badgeSize(metrics, QStringLiteral("1")), qGuiApp->devicePixelRatio());
    const NoteBadge badge = badgeOf(notes);
    return paintedBadge(
        badge.text, badge.color, badgeSize(metrics, badge.text), font, qGuiApp->devicePixelRatio());
}

std::vector<const NoteFlag*> notesAt(const std::vector<NoteFlag>& flags, double place)
{
    std::vector<const NoteFlag*> notes;
    for (const NoteFlag& flag : std::ranges::equal_range(flags, place, {}, &NoteFlag::first))
        notes.push_back(&flag);
    return notes;
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
    if (m_sizes.size() > kMaxCached)
        m_sizes.clear();
    const auto known = m_sizes.constFind(text);
    if (known != m_sizes.constEnd())
        return *known;
    return *m_sizes.insert(text, badgeSize(QFontMetricsF(badgeFont(m_font)), text));
}

void BadgeCache::paint(QPainter& painter, const QPointF& topLeft, const QString& text, const QColor& color)
{
    if (m_badges.size() > kMaxCached)
        m_badges.clear();
    QPixmap& badge = m_badges[{text, color.rgb()}];
    if (badge.isNull())
        badge = paintedBadge(text, color, size(text), m_font, m_pixelRatio);
    painter.drawPixmap(topLeft.toPoint(), badge);
}

} // namespace highwater::gui
