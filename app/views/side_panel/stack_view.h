#pragma once

#include <QTreeWidget>

#include "app/workspace/theme/theme_colors.h"
#include "core/analysis/stacks/folded_stack.h"

namespace highwater::gui {

/// A stack, Python frames first. Consecutive library or C++ frames are folded into one row; a click or Enter
/// unfolds the row. Items are reused, and items of folded frames are made only when a row is unfolded,
/// because the view follows the mouse.
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
    void showLine(QTreeWidgetItem& item);
    void addFoldedItems(QTreeWidgetItem* item);
    void toggleFold(QTreeWidgetItem* item);

    ThemeColors m_colors;
    std::vector<StackLine> m_lines; ///< in the order of the top-level items
};

} // namespace highwater::gui
