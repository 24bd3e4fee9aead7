#pragma once

#include <vector>

#include <QWidget>

#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/visible_range.h"
#include "core/analysis/diff/matching/run_alignment.h"

namespace highwater::gui {

/// The strip between two compared timelines. If steps begin at the same places in both, it shows them as a
/// lane: a box for each, round steps where boxes would be too narrow, shares of a step that fills the view.
/// Otherwise it draws lines from the start of a step above to
/// the start of its partner below. Positions are in units of the shared axis; `range` must outlive this
/// widget.
class StepLinks : public QWidget
{
    Q_OBJECT

public:
    /// Start of a step in the run above and of its partner in the run below.
    struct Link
    {
        double above = 0;
        double below = 0;
        QString label; ///< "step 3"
    };

    explicit StepLinks(const VisibleRange& range, QWidget* parent = nullptr);

    void setLinks(std::vector<Link> links);
    /// Shows the steps that both runs share; the last one ends at `end`.
    void setLane(std::vector<AxisMark> steps, double end);
    const std::vector<AxisMark>& lane() const { return m_lane; }
    const std::vector<Link>& links() const { return m_links; }
    /// Sets the left and right edges of the plots, in pixels of this widget.
    void setEdges(int left, int right);
    void setColors(const ThemeColors& colors);

    QSize sizeHint() const override { return {200, fontMetrics().height() + 4}; }
    QSize minimumSizeHint() const override { return {50, fontMetrics().height() + 4}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double xOf(double place) const;
    void paintLane(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    void paintLinks(QPainter& painter) const;
    QString fittingLabel(const AxisMark& step, double width) const;

    const VisibleRange& m_range;
    std::vector<Link> m_links;
    std::vector<AxisMark> m_lane; ///< empty while links are shown
    double m_laneEnd = 0;
    int m_left = 0;
    int m_right = 1;
    ThemeColors m_colors = ThemeColors::light();
};

} // namespace highwater::gui
