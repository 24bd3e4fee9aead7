#include <QFile>
#include <QTest>

#include "app/views/parts/analysis_panel.h"
#include "app/views/parts/panel_tabs.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/analysis_panels.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of the central list of views.
class ViewListTest : public QObject
{
    Q_OBJECT

private slots:
    void everyViewIsInTheManual()
    {
        const QString manual = QString::fromUtf8(
            contentOf(QStringLiteral(HIGHWATER_SOURCE_DIR "/resources/manual/command-line.md")));
        const qsizetype row = manual.indexOf(QLatin1String("| `--view` |"));
        QVERIFY(row >= 0);
        const QString names = manual.mid(row, manual.indexOf(QLatin1Char('\n'), row) - row);
        for (const QString& name : viewNames())
            QVERIFY2(names.contains(QLatin1Char('`') + name + QLatin1Char('`')), qPrintable(name));
    }

    void tabsAreInItsOrder()
    {
        const MainWindow window(false);
        const auto* const tabs = window.findChild<PanelTabs*>();
        QVERIFY(tabs);
        std::size_t tab = 0;
        for (const ViewKind& view : viewKinds()) {
            if (!view.make)
                continue;
            QVERIFY(tab < tabs->views().size());
            QCOMPARE(tabs->views()[tab]->objectName(), QLatin1String(view.name));
            ++tab;
        }
        QCOMPARE(tab, tabs->views().size());
    }
};

HIGHWATER_APP_TEST(ViewListTest)

} // namespace highwater::gui::test

#include "view_list_test.moc"
