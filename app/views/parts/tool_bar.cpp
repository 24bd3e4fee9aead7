#include "app/views/parts/tool_bar.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QActionEvent>
#include <QLayout>
#include <QMenu>
#include <QPainter>
#include <QStyleOption>
#include <QToolButton>

#include "app/views/parts/arrange.h"

namespace highwater::gui {

namespace {

constexpr int kChevronRoom = 18; ///< the right padding of [menu="true"] in the style sheet

/// A button that opens a menu, with a chevron at its right that says so.
class MenuButton : public QToolButton
{
public:
    explicit MenuButton(QWidget* parent)
        : QToolButton(parent)
    {
        setProperty("menu", true); // the style sheet leaves room for the chevron
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QToolButton::paintEvent(event);
        if (!property("menu").toBool())
            return;
        QStyleOption chevron;
        chevron.initFrom(this);
        chevron.rect = QRect(width() - kChevronRoom, 0, kChevronRoom - 4, height());
        QPainter painter(this);
        style()->drawPrimitive(QStyle::PE_IndicatorArrowDown, &chevron, &painter, this);
    }
};

} // namespace

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

QToolButton* ToolBar::makeMenuButton(const char* name, const QString& tip, const QList<QAction*>& choices)
{
    auto* button = named(new MenuButton(this), name, tip, tip);
    auto* menu = new QMenu(button);
    menu->addActions(choices);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return button;
}

void ToolBar::setSavings(std::vector<std::function<void(bool)>> savings)
{
    m_savings = std::move(savings);
    fitWidth();
}

void ToolBar::resizeEvent(QResizeEvent* event)
{
    QToolBar::resizeEvent(event);
    fitWidth();
}

bool ToolBar::event(QEvent* event)
{
    const bool handled = QToolBar::event(event);
    const bool hasOtherParts = event->type() == QEvent::LayoutRequest // a part appeared or has another text
        && layout()->sizeHint().width() != m_fittedHint; // or fitting itself hid one and showed it again
    if (hasOtherParts)
        fitWidth();
    return handled;
}

void ToolBar::fitWidth()
{
    if (m_isFitting || m_savings.empty())
        return;
    m_isFitting = true;
    const auto fits = [this] {
        layout()->invalidate();
        return layout()->sizeHint().width() <= width();
    };
    for (const auto& saving : m_savings)
        saving(false);
    for (std::size_t i = 0; i < m_savings.size() && !fits(); ++i)
        m_savings[i](true);
    layout()->invalidate();
    m_fittedHint = layout()->sizeHint().width();
    m_isFitting = false;
}

} // namespace highwater::gui
