#pragma once

#include <utility>
#include <vector>

#include <QColor>
#include <QString>

#include <qcustomplot.h>

#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/note_flag.h"

namespace highwater::gui {

/// Draws over the series of a log: where memory ran out, the names of the series at the ends of their
/// lines, and the flags of notes. Texts keep clear of each other.
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
    void setNotes(Notes notes) { m_notes = std::move(notes); }
    void setColors(const ThemeColors& colors) { m_colors = colors; }
    const std::vector<LineEnd>& lineEnds() const { return m_ends; }
    const std::vector<Failure>& failures() const { return m_failures; }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    QRect clipRect() const override { return mParentPlot->axisRect()->rect(); }
    void draw(QCPPainter* painter) override;

private:
    void drawFailures(QCPPainter& painter, std::vector<QRectF>& taken) const;
    void drawNames(QCPPainter& painter, std::vector<QRectF>& taken) const;
    void drawNotes(QCPPainter& painter) const;
    void drawText(QCPPainter& painter, const QRectF& place, const QString& text, const QColor& color) const;

    ThemeColors m_colors = ThemeColors::light();
    std::vector<LineEnd> m_ends;
    std::vector<Failure> m_failures;
    Notes m_notes;
};

} // namespace highwater::gui
