#pragma once

#include <vector>

#include <QFont>
#include <QRectF>
#include <QString>

#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"

class QCPAxis;
class QCustomPlot;

namespace highwater::gui {

/// Draws the bottom and left axis of a plot; ranges and ticks (`setTicks`) come from QCustomPlot.
/// QCustomPlot's own axes would be slow: they make a picture of each new label, and a moving view has new
/// labels in every frame.
class PlotAxes
{
public:
    /// Hides the plot's own axes. The plot must outlive this object.
    explicit PlotAxes(QCustomPlot& plot);

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void setFont(const QFont& font) { m_texts.setFont(font); }
    /// Sets the unit of the bottom axis, shown at its end.
    void setName(const QString& name) { m_name = name; }
    const QString& name() const { return m_name; }
    /// Shows or hides labels and name of the bottom axis.
    void setLabelled(bool labelled) { m_isLabelled = labelled; }
    bool isLabelled() const { return m_isLabelled; }

    /// Gives the bottom axis as many ticks as labels fit; see `fitTicks`.
    void fit();
    /// Returns the rectangles of the tick labels and the name below the bottom axis, with a small margin;
    /// none if they are hidden.
    std::vector<QRectF> labelPlaces() const;
    /// Draws a line for each tick of the left axis.
    void drawGrid(QPainter& painter) const;
    /// Draws lines, ticks and labels outside the plot, where they hide no data.
    void draw(QPainter& painter) const;

private:
    struct Label
    {
        QString text;
        QRectF rect; ///< in the widget's pixels
    };

    std::vector<Label> bottomLabels() const;
    std::vector<Label> labelsOf(const QCPAxis& axis) const;
    void drawTicks(QPainter& painter) const;
    void drawText(QPainter& painter, const QPointF& topLeft, const QString& text) const;

    QCustomPlot& m_plot;
    ThemeColors m_colors;
    QString m_name;
    bool m_isLabelled = true;
    mutable TextCache m_texts;
};

} // namespace highwater::gui
