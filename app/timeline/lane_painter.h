#pragma once

#include <vector>

#include <QHash>
#include <QPainter>

#include "app/timeline/lane_rows.h"
#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Returns the rectangle for a piece of a row: inside `where`, and thick enough to be seen.
QRectF laneBar(const LaneRow& row, const LanePiece& piece, const QRect& where);

/// A click this close to a bar, in pixels, counts as on it.
inline constexpr double kBarReach = 3;

/// Scale and area that map items to pixels.
struct LaneView
{
    const EventScale& scale;
    PlotArea area;
};

/// Paints the rows of the lanes: bars, markers and their labels, in pixels of the widget. Make one for each
/// paint event.
class LanePainter
{
public:
    /// `texts` caches laid-out texts from one frame to the next and is set to the painter's font,
    /// `smallTexts` to a smaller one. All references must outlive the painter.
    LanePainter(QPainter& painter, const ThemeColors& colors, TextCache& texts, TextCache& smallTexts);

    /// Paints the name of a lane, in front of its first row.
    void paintName(const QString& name, const QRect& where) const;
    /// Paints the part of a row in view inside `where`. O(pixels × log items); steps without consecutive
    /// numbers cost O(items in view).
    void paintRow(const LaneRow& row, const LaneView& view, const QRect& where) const;
    /// Paints a note below the lanes.
    void paintNote(const QString& text, const QRect& where) const;

private:
    /// `background` is the colour under the text.
    void paintText(
        const QString& text, const QRectF& where, const QColor& color, const QColor& background) const;
    void paintInside(const QString& text, const QRectF& room, const QColor& fill, const QString& whole) const;
    QColor fillColor(const LaneRow& row, const LaneItem& item) const;
    void paintDense(LaneKind kind, const LanePiece& whole, const QRect& where) const;
    void paintCount(LaneKind kind, std::size_t itemCount, const QRectF& bar, const QColor& fill) const;
    void paintPieces(
        const LaneRow& row, const std::vector<LanePiece>& pieces, const QRect& where, bool hasLabels) const;
    int lastNumberWidth(const LaneRow& row, const LanePiece& whole) const;
    void paintRoundSteps(
        const LaneRow& row, const LaneView& view, const LanePiece& whole, const QRect& where) const;
    QHash<QString, QString> phaseSpellings(
        const LaneRow& row, const std::vector<LanePiece>& pieces, const QRect& where) const;
    void paintBar(const QRectF& bar, const LaneRow& row, const LanePiece& piece, const QRectF& labelRoom,
        const QHash<QString, QString>& spellings) const;
    double paintLabelBeside(const QRectF& bar, const QString& label, const QRectF& room) const;
    void paintSmallPhase(
        const QString& spelling, const QString& name, const QRectF& room, const QColor& fill) const;
    void paintOutline(const QRectF& bar) const;
    QString longestFitting(LaneKind kind, const QString& label, double room) const;

    QPainter& m_painter;
    const ThemeColors& m_colors;
    TextCache& m_texts;
    TextCache& m_smallTexts;
};

} // namespace highwater::gui
