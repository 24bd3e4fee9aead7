#include <QLineEdit>
#include <QTableView>
#include <QTest>

#include "app/views/budget/budget_view.h"
#include "app/views/findings/findings_view.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

using namespace highwater;
using namespace highwater::gui;
using namespace highwater::gui::test;

namespace {

QString budgetPath(const QString& name)
{
    return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/budget/") + name;
}

} // namespace

/// Expected and observed memory.
class BudgetViewTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    BudgetView* m_view = nullptr;

    QString cell(const QTableView& table, int row, int column)
    {
        return table.model()->index(row, column).data().toString();
    }
    void choose(const QString& name)
    {
        m_window->page().run().setConfiguration(budgetPath(name));
        QTRY_VERIFY(m_view->study() && m_view->isSettled());
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1600, 1000);
        m_window->show();
        m_window->openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_VERIFY(isOn(m_window->page()));
        m_window->openView(QStringLiteral("budget"));
        m_view = m_window->findChild<BudgetView*>();
    }
    void cleanup() { m_window.reset(); }

    void saysWhatItNeedsBeforeThereIsAConfiguration()
    {
        QVERIFY(m_view->isVisible());
        QVERIFY(m_view->text().contains(QStringLiteral("Choose its configuration")));
        QVERIFY(!m_view->settings().isEnabled());
    }

    void putsTheObservedBytesBesideTheExpectedOnes()
    {
        choose(QStringLiteral("r1-grpo.yaml"));
        QTableView& lines = m_view->lines();
        QCOMPARE(cell(lines, 0, 0), QStringLiteral("parameters"));
        QCOMPARE(cell(lines, 0, 1), QStringLiteral("237.35 MiB"));
        QCOMPARE(cell(lines, 0, 4), QStringLiteral("237.35 MiB"));
        QCOMPARE(cell(lines, 3, 5), QStringLiteral("39.5 ×"));
        const int sum = lines.model()->rowCount() - 1;
        QCOMPARE(cell(lines, sum, 1), QStringLiteral("1.70 GiB"));
        QCOMPARE(cell(lines, sum, 4), QStringLiteral("22.62 GiB"));
        QCOMPARE(m_view->study()->observed->total, Bytes{24287511136});
    }

    void triesOtherSettings()
    {
        choose(QStringLiteral("r3-vocabulary.yaml"));
        QVERIFY(!m_view->grid().isVisible());
        m_view->settings().setText(QStringLiteral("batch=32,64"));
        QTest::keyClick(&m_view->settings(), Qt::Key_Return);
        QTRY_VERIFY(m_view->study()->whatIf);
        QCOMPARE(m_view->grid().model()->rowCount(), 2);
        QVERIFY(m_view->grid().isVisible());
    }

    void saysWhatIsWrongWithAConfiguration()
    {
        m_window->page().run().setConfiguration(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_VERIFY(m_view->text().contains(QStringLiteral("r1-grpo-before.pickle.zst")));
        choose(QStringLiteral("r1-grpo.yaml"));
        m_view->tryOut(QStringLiteral("colour=red"));
        QTRY_VERIFY(m_view->text().contains(QStringLiteral("nothing that can be varied")));
    }

    void tellsTheFindingsWhatTheRunIs()
    {
        FindingsView& findings = m_window->page().findings();
        QTRY_VERIFY(m_window->page().run().study());
        QVERIFY(!findings.text().contains(QStringLiteral("B=8, T=174")));
        choose(QStringLiteral("r1-grpo.yaml"));
        QTRY_VERIFY(findings.text().contains(QStringLiteral("B=8, T=174, V=50,257")));
    }
};

HIGHWATER_APP_TEST(BudgetViewTest)
#include "budget_view_test.moc"
