#pragma once

#include <optional>

#include <QTabWidget>

#include "app/models/table_model.h"
#include "app/workspace/compare/comparison_state.h"
#include "app/workspace/theme/theme_colors.h"
#include "app/workspace/view/visible_range.h"
#include "core/figure/drawing/figure_sheet.h"

class QTableView;

namespace highwater::gui {

class DiffFlameView;
class FigureView;

/// The tabs below the compared timelines: a waterfall from one total to the other, both curves overlaid, the
/// steps side by side, the calls, and the settings that differ. Two moments of one run have only the
/// waterfall and the calls. A click selects a row or chooses a pair of steps in the ComparisonState. The tree
/// of calls is built off the GUI thread, while its tab is open.
class ComparePictures : public QTabWidget
{
    Q_OBJECT

public:
    /// The curves cover the part of the axis that `range` shows. Both references must outlive this widget.
    ComparePictures(ComparisonState& state, const VisibleRange& range, QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Draws the curves between these edges, in pixels, which are those of the timelines above.
    void setPlotEdges(int left, int right);
    bool isSettled() const { return !m_treeTask.isBusy(); }

    FigureView& waterfall() { return *m_waterfall; }
    FigureView& curves() { return *m_curves; }
    FigureView& steps() { return *m_steps; }
    DiffFlameView& calls() { return *m_calls; }
    QTableView& settings() { return *m_settings; }

signals:
    /// A pair of steps was clicked.
    void stepChosen(quint64 pair);
    void settled();

private:
    void connectParts();
    void followRuns();
    void followDiff();
    void refreshCurves();
    void refreshWaterfall();
    void refreshSteps();
    void refreshTree();
    void showSettings();

    ComparisonState& m_state;
    const VisibleRange& m_range;
    std::optional<PlotEdges> m_edges;
    FigureView* m_waterfall;
    FigureView* m_curves;
    FigureView* m_steps;
    DiffFlameView* m_calls;
    TableModel* m_settingsModel;
    QTableView* m_settings;
    bool m_isTreeStale = true;
    LatestTask m_treeTask;
};

} // namespace highwater::gui
