#include "app/views/parts/tool_bar.h"

#include <algorithm>

#include <QAction>
#include <QActionEvent>
#include <QToolButton>

namespace highwater::gui {

void ToolBar::actionEvent(QActionEvent* event)
{
    QToolBar::actionEvent(event);
    auto* button = event->type() == QEvent::ActionAdded
        ? qobject_cast<QToolButton*>(widgetForAction(event->action()))
        : nullptr;
    if (!button || button->defaultAction() != event->action())
        return; // the action was removed, or has its own widget
    button->setFocusPolicy(Qt::TabFocus); // after a click, the view keeps the keyboard focus
    const QString text = event->action()->text();
    if (std::ranges::none_of(text, [](QChar c) { return c.isLetterOrNumber(); }))
        button->setAccessibleName(event->action()->toolTip()); // a screen reader needs more than "+"
}

} // namespace highwater::gui
