#pragma once

#include <QTreeWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/stacks/folded_stack.h"

namespace highwater::gui {

/// A stack, Python first, with runs of library and C++ frames folded; a click or Enter on a run opens it. The
/// frames of a run become items when it is opened, and items are used again: the view follows the mouse.
class StackView : public QTreeWidget
{
    Q_OBJECT

public:
    explicit StackView(QWidget* parent = nullptr);

    void setStack(std::vector<StackLine> lines);
    void setColors(const ThemeColors& colors);

protected:
    bool viewportEvent(QEvent* event) override;

private:
    const StackLine& lineOf(const QTreeWidgetItem& item) const;
    bool isFold(const QTreeWidgetItem& item) const;
    void fill(QTreeWidgetItem& item);
    void open(QTreeWidgetItem* item);
    void toggle(QTreeWidgetItem* item);

    ThemeColors m_colors;
    std::vector<StackLine> m_lines; ///< one for each top-level item
};

} // namespace highwater::gui
