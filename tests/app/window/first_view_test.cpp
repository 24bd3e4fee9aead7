#include <QTest>

#include "app/views/moment/composition_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of the view that a new file begins with.
class FirstViewTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }
    CompositionView& moment() { return *page().panelTabs().findChild<CompositionView*>(); }
    static QString oneMoment()
    {
        return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/moments/one-event.pickle");
    }
    static QString oneMomentWithoutStacks()
    {
        return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/moments/reserved.pickle");
    }
    void open(const QString& path)
    {
        m_window->openFile(path);
        QTRY_VERIFY(page().document() && QString::fromStdString(page().document()->path) == path);
        QTRY_VERIFY(isOn(page()) && page().run().study());
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1280, 800);
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void aFileOfOneMomentOpensAsATreemap()
    {
        open(oneMoment());
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("moment"));
        QCOMPARE(moment().way(), CompositionView::Way::Treemap);
        QVERIFY(!page().timeline().isVisible());
    }

    void aFileOfOneMomentWithoutStacksOpensWithItsSegments()
    {
        open(oneMomentWithoutStacks());
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("segments"));
        QVERIFY(!page().timeline().isVisible());
        open(oneMoment());
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("moment"));
    }

    void theTimelineOfAFileOfOneMomentIsOneClickAway()
    {
        open(oneMoment());
        QTest::mouseClick(
            page().panelTabs().findChild<QWidget*>(QStringLiteral("expandQuestions")), Qt::LeftButton);
        QVERIFY(page().timeline().isVisible());
    }

    void theNextFileWithAHistoryOpensWithTimelineAndFindings()
    {
        open(oneMoment());
        open(samplePath(QStringLiteral("training-6-steps-annotated")));
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("summary"));
        QCOMPARE(moment().way(), CompositionView::Way::Table);
        QVERIFY(page().timeline().isVisible());
    }

    void aViewThatIsAskedForOpensInsteadOfTheTreemap()
    {
        m_window->openView(QStringLiteral("segments"));
        open(oneMoment());
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("segments"));
        QVERIFY(page().timeline().isVisible());
    }
};

HIGHWATER_APP_TEST(FirstViewTest)

} // namespace highwater::gui::test

#include "first_view_test.moc"
