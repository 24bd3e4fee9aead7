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

/// The notes on the plot, with `drawTints` below the bands and `drawFlags` on top: a numbered flag at the top
/// of each note's line, ranges tinted behind the data, with an edge above it. Flags that would overlap are
/// stacked in rows; if these are full, flags are merged.
///
/// Cost: proportional to the notes in view, of which at most `kMostPoles` lines and bands of twice the plot's
/// pixels are painted.
class NoteFlags : public QCPLayerable
{
    Q_OBJECT

public:
    static constexpr std::size_t kMostPoles = 100;

    explicit NoteFlags(QCustomPlot* plot);

    /// Of the device whose events the notes name; null: none.
    void setScale(std::shared_ptr<const EventScale> scale);
    void setNotes(std::vector<TimelineNote> notes);
    void setArea(const PlotArea& area);
    void setColors(const ThemeColors& colors) { m_colors = colors; }
    /// Number of the chosen note, whose flag is highlighted; 0: none.
    void setChosen(int number);
    /// Shows the note's flag at another event while it is dragged; none: where it belongs.
    void setDragged(std::optional<std::pair<int, std::int64_t>> numberAndEvent);

    /// A flag on screen, which one or several notes share.
    struct Flag
    {
        QRectF rect;
        double x = 0; ///< of its line
        QString text;
        std::vector<const NoteFlag*> notes;
        bool canMove = false;
    };
    /// From left to right.
    const std::vector<Flag>& flags() const { return m_flags; }
    const Flag* flagAt(const QPointF& position) const;

    /// The numbers, to be painted over everything else.
    void drawFlags(QCPPainter* painter);
    /// The ranges, to be painted below the data: their colours are to stay as they are.
    void drawTints(QCPPainter* painter) const;
    const PlotArea& area() const { return m_area; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override { return m_area.rect.toAlignedRect(); }
    void draw(QCPPainter* painter) override;

private:
    struct Placed
    {
        double begin; ///< of its events on the axis
        double end;
        std::size_t note;
    };

    void place();
    void layOut();
    void add(const Placed& placed);
    void resize(Flag& flag, double top);
    void drawEdges(QCPPainter* painter) const;
    /// Where a range lies on screen; none: it is not in view, or the note is on a moment.
    std::optional<QRectF> bandOf(const Placed& placed) const;
    void tint(QCPPainter* painter, const QRectF& band, const QColor& color) const;
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
