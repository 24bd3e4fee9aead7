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
        return; // it is gone, or a widget of its own
    button->setFocusPolicy(Qt::TabFocus); // a click leaves the keys to the view
    const QString text = event->action()->text();
    if (std::ranges::none_of(text, [](QChar c) { return c.isLetterOrNumber(); }))
        button->setAccessibleName(event->action()->toolTip()); // "+" is no name
}

} // namespace highwater::gui
