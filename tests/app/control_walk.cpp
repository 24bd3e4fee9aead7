#include "tests/app/control_walk.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDebug>
#include <QLabel>
#include <QLineEdit>
#include <QSet>
#include <QStyle>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include "app/views/parts/elided_label.h"
#include "core/figure/drawing/figure_palette.h"

namespace highwater::gui::test {

namespace {

constexpr int kMaxPresses = 300;
constexpr int kMaxLinks = 150; ///< in one text

/// True for Qt's internal parts of a control, such as the text field in a spin box.
bool isPartOfAnother(const QWidget& widget)
{
    return widget.focusProxy() || widget.objectName().startsWith(QLatin1String("qt_"))
        || qobject_cast<QLineEdit*>(widget.parentWidget()) || qobject_cast<QTabBar*>(widget.parentWidget());
}

QWidgetList inSight(QWidget& window)
{
    QWidgetList all;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->window() == &window)
            all << widget;
    return all;
}

QWidgetList tabStops(QWidget& window)
{
    QWidgetList stops;
    for (QWidget* widget : inSight(window))
        if (widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) && !isPartOfAnother(*widget))
            stops << widget;
    return stops;
}

QString accessibleName(QWidget& widget)
{
    const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(&widget);
    return interface ? interface->text(QAccessible::Name) : QString();
}

bool isWord(const QString& text)
{
    return std::ranges::any_of(text, [](QChar c) { return c.isLetterOrNumber(); });
}

/// Presses Tab once in the widget that has the focus.
void pressTab(QWidget& window)
{
    QWidget* const from = QApplication::focusWidget();
    QTest::keyClick(from ? from : &window, Qt::Key_Tab);
}

bool hasRoom(const QLabel& label)
{
    if (label.text().isEmpty() || qobject_cast<const ElidedLabel*>(&label) || !label.pixmap().isNull())
        return true;
    const int height = label.wordWrap() ? label.heightForWidth(label.width()) : label.sizeHint().height();
    return label.height() >= height && (label.wordWrap() || label.width() >= label.sizeHint().width());
}

bool hasRoom(const QWidget& control)
{
    if (const auto* label = qobject_cast<const QLabel*>(&control))
        return hasRoom(*label);
    const QSize wanted = control.minimumSizeHint().isValid() ? control.minimumSizeHint() : QSize(0, 0);
    if (const auto* button = qobject_cast<const QAbstractButton*>(&control))
        return button->text().isEmpty()
            || (control.width() >= control.sizeHint().width()
                && control.height() >= control.sizeHint().height());
    if (qobject_cast<const QComboBox*>(&control) || qobject_cast<const QLineEdit*>(&control))
        return control.height() >= wanted.height();
    if (const auto* tabs = qobject_cast<const QTabBar*>(&control))
        return control.height() >= tabs->sizeHint().height();
    return true;
}

} // namespace

QString described(const QWidget& control)
{
    QString path;
    for (const QWidget* of = &control; of && path.size() < 120; of = of->parentWidget())
        if (!of->objectName().isEmpty() || of == &control)
            path += (path.isEmpty() ? QString() : QStringLiteral(" in "))
                + QLatin1String(of->metaObject()->className()) + QLatin1Char(' ') + of->objectName();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&control))
        path += QStringLiteral(" \"%1\"").arg(button->text());
    if (const auto* label = qobject_cast<const QLabel*>(&control))
        path += QStringLiteral(" \"%1\"").arg(label->text().left(60));
    return path;
}

QStringList unnamedControls(QWidget& window)
{
    QStringList wrong;
    for (QWidget* stop : tabStops(window))
        if (!isWord(accessibleName(*stop)))
            wrong << QStringLiteral("no name: ") + described(*stop);
    for (const QWidget* widget : inSight(window)) {
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (button && !isPartOfAnother(*button) && !isWord(button->text()) && button->toolTip().isEmpty())
            wrong << QStringLiteral("no tool tip: ") + described(*button);
    }
    return wrong;
}

QStringList controlsThatTabMisses(QWidget& window)
{
    QStringList wrong;
    QSet<QWidget*> reached;
    QStringList path;
    int stays = 0;
    const QWidgetList stops = tabStops(window);
    const auto isReached = [&](QWidget* stop) { return reached.contains(stop); };
    for (int i = 0; i < kMaxPresses && !std::ranges::all_of(stops, isReached); ++i) {
        QWidget* const from = QApplication::focusWidget();
        pressTab(window);
        QWidget* const to = QApplication::focusWidget();
        stays = to == from ? stays + 1 : 0; // Tab moves through the links within a text
        if (stays > kMaxLinks && tabStops(window).size() > 1) {
            wrong << QStringLiteral("keeps the keyboard: ") + (to ? described(*to) : QString());
            break;
        }
        if (to && !reached.contains(to))
            path << described(*to);
        if (to)
            reached << to;
    }
    for (QWidget* stop : tabStops(window))
        if (!reached.contains(stop))
            wrong << QStringLiteral("Tab misses: ") + described(*stop);
    if (!wrong.isEmpty())
        qInfo().noquote() << "Tab went through" << path.join(QLatin1String("\n    "));
    for (const QWidget* widget : inSight(window)) {
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool isOfGroup = button && (button->autoExclusive() || button->group());
        if (button && button->isEnabled() && !isPartOfAnother(*button) && !isOfGroup
            && !(button->focusPolicy() & Qt::TabFocus))
            wrong << QStringLiteral("for the mouse alone: ") + described(*button);
    }
    return wrong;
}

QStringList cutTexts(QWidget& window)
{
    QStringList wrong;
    for (const QWidget* widget : inSight(window))
        if (!isPartOfAnother(*widget) && !hasRoom(*widget))
            wrong << QStringLiteral("cut: %1, %2 x %3 for %4 x %5")
                         .arg(described(*widget))
                         .arg(widget->width())
                         .arg(widget->height())
                         .arg(widget->sizeHint().width())
                         .arg(widget->sizeHint().height());
    return wrong;
}

QStringList paleTexts(QWidget& window)
{
    constexpr double enough = 7;
    QStringList wrong;
    for (const QWidget* widget : inSight(window)) {
        const QPalette palette = widget->palette();
        for (const auto& [ink, ground] :
            {std::pair(QPalette::WindowText, QPalette::Window), std::pair(QPalette::Text, QPalette::Base),
                std::pair(QPalette::ButtonText, QPalette::Button)})
            if (palette.color(QPalette::Active, ground).alpha() == 255 // otherwise its parent's is visible
                && contrast(palette.color(QPalette::Active, ink).rgb() & 0xffffff,
                       palette.color(QPalette::Active, ground).rgb() & 0xffffff)
                    < enough)
                wrong << QStringLiteral("pale: ") + described(*widget);
    }
    return wrong;
}

bool tabTo(QWidget& control)
{
    QStringList path;
    for (int i = 0; i < kMaxPresses; ++i) {
        if (control.hasFocus())
            return true;
        pressTab(*control.window());
        if (!QApplication::focusWidget()) // a desktop returns the focus when a dialog has ended
            control.window()->activateWindow();
        if (QApplication::focusWidget())
            path << described(*QApplication::focusWidget());
    }
    qWarning().noquote() << "Tab went" << path.mid(0, 40).join(QLatin1String("\n  "));
    return false;
}

} // namespace highwater::gui::test
