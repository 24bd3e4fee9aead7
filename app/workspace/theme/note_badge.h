#pragma once

#include <utility>
#include <vector>

#include <QColor>
#include <QFont>
#include <QHash>
#include <QPixmap>
#include <QRectF>
#include <QString>

#include "core/figure/drawing/note_flag.h"

class QFontMetricsF;
class QPainter;

/// Badges with the numbers of notes, the same in every view.
namespace highwater::gui {

QColor noteQColor(NoteColor color);
/// Returns "Red", "Orange" and so on.
QString noteColorName(NoteColor color);

/// Returns the text for one or several notes at one place: "3", "2–4", "2, 5", "7 notes". `numbers` must not
/// be empty.
QString numbersText(std::vector<int> numbers);

/// Several flags merged into one: their numbers, the colour of the first, and the first twelve titles, one
/// per line.
struct NoteBadge
{
    QString text;
    QColor color;
    QString tip;
};
/// `flags` must not be empty.
NoteBadge badgeOf(const std::vector<const NoteFlag*>& flags);

/// Notes at one place of a chart.
struct NotedPlace
{
    double x = 0;
    double bottom = 0; ///< lower end of the flag's line
    std::vector<const NoteFlag*> notes; ///< at least one
};
/// Paints flags along the upper edge of a chart, each with a line down from it. `places` must be sorted by x;
/// flags that would overlap are merged.
void paintNotes(QPainter& painter, const QRectF& chart, const std::vector<NotedPlace>& places);

QSizeF badgeSize(const QFontMetricsF& metrics, const QString& text);
void paintBadge(QPainter& painter, const QRectF& rect, const QString& text, const QColor& color);
/// Returns the badge for the notes on a row; without notes a transparent one as wide as a badge with one
/// digit.
QPixmap badgePixmap(const std::vector<const NoteFlag*>& notes);
/// Returns the flags at a place; `flags` must be sorted by place.
std::vector<const NoteFlag*> notesAt(const std::vector<NoteFlag>& flags, double place);

/// Keeps painted badges for pictures that are repainted every frame: drawing text takes many times as long as
/// drawing a pixmap.
class BadgeCache
{
public:
    /// Returns the size of the painted badge, in the widget's pixels.
    QSizeF size(const QString& text);
    void paint(QPainter& painter, const QPointF& topLeft, const QString& text, const QColor& color);
    /// Sets the font of the numbers and the device's pixel ratio. Clears the cache if one of them has
    /// changed.
    void setFont(const QFont& font, double pixelRatio);

private:
    QFont m_font;
    double m_pixelRatio = 1;
    QHash<QString, QSizeF> m_sizes;
    QHash<std::pair<QString, QRgb>, QPixmap> m_badges;
};

} // namespace highwater::gui
