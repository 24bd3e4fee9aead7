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

/// Draws the bottom and left axis of a plot, which has ranges, ticks (`setTicks`) and coordinates from
/// QCustomPlot. The library draws lines pixel by pixel and makes a picture of each new label: a view that
/// moves has new ones in every frame.
class PlotAxes
{
public:
    /// Hides the plot's own.
    explicit PlotAxes(QCustomPlot& plot);

    void setColors(const ThemeColors& colors) { m_colors = colors; }
    void setFont(const QFont& font) { m_texts.setFont(font); }
    /// What the bottom axis counts: stands at its end.
    void setName(const QString& name) { m_name = name; }
    const QString& name() const { return m_name; }
    /// Whether the bottom axis has labels and a name.
    void setLabelled(bool labelled) { m_isLabelled = labelled; }
    bool isLabelled() const { return m_isLabelled; }

    /// Gives the bottom axis as many ticks as labels fit; see `fitTicks`.
    void fit();
    /// What the labels below the bottom axis fill, and a little around them.
    std::vector<QRectF> labelPlaces() const;
    /// A line for each tick of the left axis.
    void drawGrid(QPainter& painter) const;
    /// Lines, ticks and labels, outside of the plot: they hide no data.
    void draw(QPainter& painter) const;

private:
    struct Label
    {
        QString text;
        QRectF rect; ///< in the widget's pixels
    };

    std::vector<Label> labels() const;
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
