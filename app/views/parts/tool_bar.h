#pragma once

#include <QToolBar>

namespace highwater::gui {

/// A tool bar whose buttons the keyboard comes to by Tab, where Qt's own are for the mouse alone.
class ToolBar : public QToolBar
{
    Q_OBJECT

public:
    using QToolBar::QToolBar;

protected:
    void actionEvent(QActionEvent* event) override;
};

} // namespace highwater::gui
