#pragma once

#include <vector>

#include <QWidget>

#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/visible_range.h"
#include "core/analysis/diff/matching/run_alignment.h"

namespace highwater::gui {

/// The strip between two timelines: where their steps begin at one place the lane of these, else lines from
/// where a step begins in the upper one to where its partner begins in the lower one.
class StepLinks : public QWidget
{
    Q_OBJECT

public:
    /// Where a step begins in the run above and in the one below.
    struct Link
    {
        double above = 0;
        double below = 0;
        QString label; ///< "step 3"
    };

    explicit StepLinks(const VisibleRange& range, QWidget* parent = nullptr);

    void setLinks(std::vector<Link> links);
    /// The steps of both runs, up to `end`.
    void setLane(std::vector<AxisMark> steps, double end);
    const std::vector<AxisMark>& lane() const { return m_lane; }
    const std::vector<Link>& links() const { return m_links; }
    /// Edges of the plots, in pixels of this widget.
    void setEdges(int left, int right);
    void setColors(const ThemeColors& colors);

    QSize sizeHint() const override { return {200, fontMetrics().height() + 4}; }
    QSize minimumSizeHint() const override { return {50, fontMetrics().height() + 4}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double xOf(double place) const;
    void paintLane(QPainter& painter) const;
    void paintLinks(QPainter& painter) const;
    QString fitting(const AxisMark& step, double width) const;

    const VisibleRange& m_range;
    std::vector<Link> m_links;
    std::vector<AxisMark> m_lane; ///< empty: there are links
    double m_laneEnd = 0;
    int m_left = 0;
    int m_right = 1;
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
