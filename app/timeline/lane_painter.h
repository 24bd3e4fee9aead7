#pragma once

#include <vector>

#include <QPainter>

#include "app/timeline/lane_rows.h"
#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// Where a piece of a row is painted: inside of `where`, and never too thin to be seen.
QRectF laneBar(const LaneRow& row, const LanePiece& piece, const QRect& where);

/// Paints bars, markers and their labels.
class LanePainter
{
public:
    /// `texts` knows widths from one frame to the next; its font becomes the painter's.
    LanePainter(QPainter& painter, const ThemeColors& colors, TextCache& texts);

    /// The name of a lane, in front of its first row.
    void paintName(const QString& name, const QRect& where) const;
    /// The pieces of a row, from left to right, inside of `where`; texts inside of `clear`, a part of it.
    void paintPieces(const LaneRow& row, const std::vector<LanePiece>& pieces, const QRect& where,
        const QRect& clear) const;
    void paintNote(const QString& text, const QRect& where) const;

private:
    void paintText(const QString& text, const QRectF& where, const QColor& color) const;
    QColor fillOf(const LaneRow& row, const LaneItem& item) const;
    void paintDense(const std::vector<LanePiece>& pieces, const QRect& where) const;
    int widestNumber(const LaneRow& row, const std::vector<LanePiece>& pieces) const;
    void paintRoundSteps(const LaneRow& row, const std::vector<LanePiece>& pieces, const QRect& clear) const;
    /// The label is inside of `room`; empty: it has none.
    void paintBar(const QRectF& bar, const LaneRow& row, const LanePiece& piece, const QRectF& room) const;
    double paintBeside(const QRectF& bar, const QString& label, const QRectF& room) const;
    QString fitting(LaneKind kind, const QString& label, double room) const;
    QString elided(const QString& text, double width) const;

    QPainter& m_painter;
    const ThemeColors& m_colors;
    TextCache& m_texts;
};

} // namespace highwater::gui
