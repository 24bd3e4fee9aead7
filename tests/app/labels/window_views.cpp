#include "tests/app/labels/window_views.h"

#include <QTest>

#include "app/views/compare/compare_pictures.h"
#include "app/views/moment/composition_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/window/commands/note_commands.h"
#include "app/window/commands/report_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"

namespace highwater::gui::test {

namespace {

constexpr int kPatience = 60000;

void settle(MainWindow& window)
{
    QCoreApplication::processEvents();
    if (!QTest::qWaitFor([&] { return isComplete(window); }, kPatience))
        qFatal("a view does not become complete");
    QCoreApplication::processEvents();
}

void lookAtMoment(
    MainWindow& window, CompositionView& moment, const std::function<void(const QString&)>& look)
{
    for (int way = 0; way < CompositionView::kWayCount; ++way) {
        moment.setWay(static_cast<CompositionView::Way>(way));
        settle(window);
        look(QStringLiteral("moment %1").arg(way));
    }
}

void lookAtRun(MainWindow& window, const std::function<void(const QString&)>& look)
{
    PanelTabs& tabs = window.page().panelTabs();
    for (int i = 0; i < tabs.count(); ++i) {
        if (!tabs.isTabEnabled(i))
            continue;
        tabs.setExtent(PanelTabs::Extent::Shared);
        tabs.setCurrentIndex(i);
        settle(window);
        if (auto* moment = qobject_cast<CompositionView*>(tabs.current()))
            lookAtMoment(window, *moment, look);
        else
            look(tabs.tabText(i));
        tabs.setExtent(PanelTabs::Extent::Expanded);
        settle(window);
        look(tabs.tabText(i) + QStringLiteral(" expanded"));
    }
    tabs.setExtent(PanelTabs::Extent::Collapsed);
    settle(window);
    look(QStringLiteral("timeline"));
    window.page().goToPeak();
    settle(window);
    look(QStringLiteral("details"));
    window.page().release();
    tabs.setExtent(PanelTabs::Extent::Shared);
}

void lookAtComparison(MainWindow& window, const std::function<void(const QString&)>& look)
{
    ComparePictures& pictures = window.pages().compare.pictures();
    for (int i = 0; i < pictures.count(); ++i) {
        pictures.setCurrentIndex(i);
        settle(window);
        look(QStringLiteral("compare ") + pictures.tabText(i));
    }
    pictures.setCurrentIndex(0);
}

} // namespace

bool isComplete(MainWindow& window)
{
    return window.pages().stack.isSettled();
}

void lookAtViews(MainWindow& window, const std::function<void(const QString&)>& look)
{
    settle(window);
    WindowPages& pages = window.pages();
    if (pages.stack.isCurrent(pages.document))
        lookAtRun(window, look);
    else if (pages.stack.isCurrent(pages.compare))
        lookAtComparison(window, look);
    else
        look(QString::fromLatin1(pages.stack.current().metaObject()->className())
                 .section(QLatin1Char(':'), -1));
    if (!pages.stack.current().isReportable())
        return;
    window.notes().setPanelWanted(true);
    settle(window);
    look(QStringLiteral("notes"));
    window.report().show();
    settle(window);
    look(QStringLiteral("report"));
    window.report().hide();
    window.notes().setPanelWanted(false);
    settle(window);
}

} // namespace highwater::gui::test
