#pragma once

#include <QTreeWidget>

#include "app/workspace/theme_colors.h"
#include "core/analysis/folded_stack.h"

namespace highwater::gui {

/// A stack, Python first, with runs of library and C++ frames folded; a click or Enter on a run opens it.
class StackView : public QTreeWidget
{
    Q_OBJECT

public:
    explicit StackView(QWidget* parent = nullptr);

    void setStack(const std::vector<StackLine>& lines);
    void setColors(const ThemeColors& colors);

private:
    void addLine(const StackLine& line, bool open);
    void markFold(QTreeWidgetItem* item);
    void toggle(QTreeWidgetItem* item);

    ThemeColors m_colors;
};

} // namespace highwater::gui
