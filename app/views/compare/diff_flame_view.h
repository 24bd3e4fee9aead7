#pragma once

#include <memory>

#include <QWidget>

#include "app/views/charts/flame_chart.h"
#include "core/analysis/diff/diff_tree.h"
#include "core/analysis/diff/side_names.h"

class QButtonGroup;
class QComboBox;
class QScrollArea;

namespace highwater::gui {

class ChangeLegend;

/// A flame graph of two runs: a box is as wide as the bytes of the run that has more, its colour shows
/// whether the bytes grew or shrank. The owner builds the tree described by `options` and passes it to
/// `setTree`.
class DiffFlameView : public QWidget
{
    Q_OBJECT

public:
    explicit DiffFlameView(QWidget* parent = nullptr);

    /// Keeps the zoom on the same path of functions, or on its nearest ancestor in the new tree. Null shows
    /// nothing.
    void setTree(std::shared_ptr<const DiffTree> tree, const SideNames& names = {});
    const std::shared_ptr<const DiffTree>& tree() const { return m_tree; }
    /// Options of the tree to build.
    const DiffTreeOptions& options() const { return m_options; }
    void setColors(const ThemeColors& colors);
    FlameChart& chart() { return *m_chart; }

signals:
    /// The user chose other `options`. The shown tree stays until the next `setTree`.
    void optionsChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QWidget* makeRow();
    void takeOptions();
    void paintNodes();

    std::shared_ptr<const DiffTree> m_tree;
    DiffTreeOptions m_options;
    ThemeColors m_colors = ThemeColors::light();
    QButtonGroup* m_direction;
    QComboBox* m_detail;
    ChangeLegend* m_legend;
    FlameChart* m_chart;
    QScrollArea* m_scroll;
};

/// Returns the tool tip of a node: "forward (model.py)\nbefore 4.01 GiB in 18 allocations → after 48.66 MiB
/// in 1 allocation (−3.97 GiB)", then "new" or "gone" if one run lacks the function. If the function both
/// allocates and calls others, a line on its own allocations follows.
QString diffTip(const DiffTree& diff, std::uint32_t node, const SideNames& names = {});
/// Returns the figure in the box of a node: the difference "−3.97 GiB", or the bytes if both runs have the
/// same.
QString diffSize(const DiffTree& diff, std::uint32_t node);

} // namespace highwater::gui
