#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <qcustomplot.h>

#include "app/timeline/parts/plot_area.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/theme/note_badge.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/usage/event_scale.h"

namespace highwater::gui {

/// The notes on the plot. Each note has a line with a numbered flag at its top; a range is also tinted behind
/// the data and has an edge at the top, unless too many overlap. Flags that would overlap are stacked
/// in rows; if the rows are full, flags are merged. The owner calls `drawTints` below the bands and
/// `drawFlags` on top of them.
///
/// Cost: O(all notes) per frame. With more than `kMaxPoles` flags, lines are short; at most twice the plot's
/// pixels are tinted.
class NoteFlags : public QCPLayerable
{
    Q_OBJECT

public:
    static constexpr std::size_t kMaxPoles = 100;

    explicit NoteFlags(QCustomPlot* plot);

    /// Sets the scale of the device whose events the notes refer to; null for none.
    void setScale(std::shared_ptr<const EventScale> scale);
    void setNotes(std::vector<TimelineNote> notes);
    void setArea(const PlotArea& area);
    void setColors(const ThemeColors& colors) { m_colors = colors; }
    /// Sets the number of the chosen note, whose flag is highlighted; 0 for none.
    void setChosen(int number);
    /// Shows the note's flag at another event while it is dragged; without a value, at its own place.
    void setDragged(std::optional<std::pair<int, std::int64_t>> numberAndEvent);

    /// A flag on screen, shared by one or several notes.
    struct Flag
    {
        QRectF rect;
        double x = 0; ///< x of its line
        QString text;
        std::vector<const NoteFlag*> notes; ///< valid until `setNotes`
        bool canMove = false; ///< the flag can be dragged; never if several notes share it
    };
    /// Returns the flags in view, from left to right.
    const std::vector<Flag>& flags() const { return m_flags; }
    /// Returns the flag at a position of the widget, valid until the flags change; null if there is none.
    const Flag* flagAt(const QPointF& position) const;

    /// Draws the numbered flags, over everything else.
    void drawFlags(QCPPainter* painter);
    /// Tints the ranges. Call before the data is drawn, so that the colours of the data do not change.
    void drawTints(QCPPainter* painter) const;
    const PlotArea& area() const { return m_area; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override { return m_area.rect.toAlignedRect(); }
    void draw(QCPPainter* painter) override;

private:
    struct Placed
    {
        double begin; ///< its first event on the axis; for a moment on an axis of events, the event's middle
        double end;
        std::size_t note;
    };

    void placeNotes();
    void layOutFlags();
    void addFlag(const Placed& placed);
    void resizeFlag(Flag& flag, double top);
    void drawEdges(QCPPainter* painter) const;
    /// Returns the rectangle of a range; nullopt if the range is not in view, or if the note is on a moment.
    std::optional<QRectF> rangeRect(const Placed& placed) const;
    void paintTint(QCPPainter* painter, const QRectF& band, const QColor& color) const;
    void drawPoles(QCPPainter* painter) const;

    std::shared_ptr<const EventScale> m_scale;
    std::vector<TimelineNote> m_notes;
    std::vector<Placed> m_placed; ///< by begin
    std::vector<Flag> m_flags;
    PlotArea m_area;
    ThemeColors m_colors;
    BadgeCache m_badges;
    int m_chosen = 0;
    std::optional<std::pair<int, std::int64_t>> m_dragged;
};

} // namespace highwater::gui
