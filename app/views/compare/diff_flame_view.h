#pragma once

#include <memory>

#include <QWidget>

#include "app/views/charts/flame_chart.h"
#include "core/analysis/diff/diff_tree.h"

class QButtonGroup;
class QComboBox;
class QScrollArea;

namespace highwater::gui {

class ChangeLegend;

/// Flame graph of two runs in one: widths are bytes of whichever run has more, colours say what grew and what
/// shrank. It does not make trees: it says which one is wanted, and shows the one that it is given.
class DiffFlameView : public QWidget
{
    Q_OBJECT

public:
    explicit DiffFlameView(QWidget* parent = nullptr);

    /// Keeps the zoom where the new tree has the same path of functions. Null: nothing.
    void setTree(std::shared_ptr<const DiffTree> tree);
    const std::shared_ptr<const DiffTree>& tree() const { return m_tree; }
    /// Which tree is wanted.
    const DiffTreeOptions& options() const { return m_options; }
    void setColors(const ThemeColors& colors);
    FlameChart& chart() { return *m_chart; }

signals:
    /// Another tree is wanted: see `options`. Until it is there, the one shown stays.
    void optionsChanged();
    /// A node of the tree was clicked, or reached with the keyboard.
    void nodeChosen(quint32 node);
    void nodeOpened(quint32 node);

protected:
    void keyPressEvent(QKeyEvent* event) override;

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

/// "forward (model.py)\nbefore 4.01 GiB in 18 → after 48.66 MiB in 1 (−3.97 GiB)", and what of that is the
/// function's own where it calls others; "new" or "gone" where one run has nothing of it.
QString diffTip(const DiffTree& diff, std::uint32_t node);

} // namespace highwater::gui
