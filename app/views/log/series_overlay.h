#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QColor>
#include <QFont>
#include <QMargins>
#include <QString>

#include <qcustomplot.h>

#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater::gui {

/// Draws around the series of a log: where memory ran out, with texts above the plot, the names of the series
/// at its right, and the flags of notes. Texts are outside the plot.
class SeriesOverlay : public QCPLayerable
{
public:
    explicit SeriesOverlay(QCustomPlot* chart);

    /// A name that belongs at the right end of a line.
    struct LineEnd
    {
        double x = 0; ///< coordinates of the last point
        double y = 0;
        QString name;
        QColor color;
    };
    /// A place at which memory ran out, with its text.
    struct Failure
    {
        double x = 0;
        QString text;
    };
    /// Notes with their x coordinates, from left to right.
    using Notes = std::vector<std::pair<double, NoteFlag>>;

    void setLineEnds(std::vector<LineEnd> ends) { m_ends = std::move(ends); }
    void setFailures(std::vector<Failure> failures) { m_failures = std::move(failures); }
    /// Names the line of the capacity; nullopt removes the name.
    void setCapacity(std::optional<LineEnd> capacity) { m_capacity = std::move(capacity); }
    void setNotes(Notes notes) { m_notes = std::move(notes); }
    void setColors(const ThemeColors& colors) { m_colors = colors; }
    /// Returns the room that the texts need around the plot.
    QMargins margins(const QFont& font) const;
    const std::vector<LineEnd>& lineEnds() const { return m_ends; }
    const std::vector<Failure>& failures() const { return m_failures; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override;

private:
    void drawFailures(QCPPainter& painter) const;
    void drawNames(QCPPainter& painter) const;
    void drawNotes(QCPPainter& painter) const;
    /// Returns the names of all lines, the highest line first.
    std::vector<LineEnd> namedLines() const;

    ThemeColors m_colors = ThemeColors::light();
    std::vector<LineEnd> m_ends;
    std::optional<LineEnd> m_capacity;
    std::vector<Failure> m_failures;
    Notes m_notes;
};

} // namespace highwater::gui
