#pragma once

#include <QToolBar>

namespace highwater::gui {

/// A tool bar whose buttons can be reached with Tab. The buttons of QToolBar are only for the mouse.
class ToolBar : public QToolBar
{
    Q_OBJECT

public:
    using QToolBar::QToolBar;

protected:
    void actionEvent(QActionEvent* event) override;
};

} // namespace highwater::gui
