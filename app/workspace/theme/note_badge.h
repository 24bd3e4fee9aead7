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

/// The number of a note in its colour, as every view shows it.
namespace highwater::gui {

QColor noteQColor(NoteColor color);
/// "Red", …
QString noteColorName(NoteColor color);

/// One or several notes that share a place: "3", "2–4", "2, 5", "7 notes".
QString numbersText(std::vector<int> numbers);

/// Several flags as one: their numbers, the colour of the first, and their titles one a line.
struct NoteBadge
{
    QString text;
    QColor color;
    QString tip;
};
/// Of at least one.
NoteBadge badgeOf(const std::vector<const NoteFlag*>& flags);

/// Notes at one place of a chart.
struct NotedPlace
{
    double x = 0;
    double bottom = 0; ///< where the line of the flag ends
    std::vector<const NoteFlag*> notes; ///< at least one
};
/// Flags along the upper edge of a chart, each with a line down from it. `places` are from left to right;
/// flags that would overlap are merged.
void paintNotes(QPainter& painter, const QRectF& chart, const std::vector<NotedPlace>& places);

QSizeF badgeSize(const QFontMetricsF& metrics, const QString& text);
void paintBadge(QPainter& painter, const QRectF& rect, const QString& text, const QColor& color);
/// Of notes on a row; without any it is as wide as a badge of one digit, and nothing to be seen.
QPixmap badgePixmap(const std::vector<const NoteFlag*>& notes);
/// Those at a place, of flags in the order of their places.
std::vector<const NoteFlag*> notesAt(const std::vector<NoteFlag>& flags, double place);

/// Badges that were painted before, for pictures that are painted anew with every frame: writing takes many
/// times as long as laying a picture down.
class BadgeCache
{
public:
    /// Of the painted badges, in the widget's pixels.
    QSizeF size(const QString& text);
    void paint(QPainter& painter, const QPointF& topLeft, const QString& text, const QColor& color);
    /// Forgets all where either is another one.
    void setFont(const QFont& font, double pixelRatio);

private:
    QFont m_font;
    double m_pixelRatio = 1;
    QHash<QString, QSizeF> m_sizes;
    QHash<std::pair<QString, QRgb>, QPixmap> m_badges;
};

} // namespace highwater::gui
