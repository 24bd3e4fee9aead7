#include <algorithm>

#include <QComboBox>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/models/table_model.h"
#include "app/views/budget/budget_view.h"
#include "app/views/findings/findings_view.h"
#include "app/views/parts/figure_view.h"
#include "app/views/parts/folded_text.h"
#include "app/views/parts/panel_tabs.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/capacity_choices.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

QString budgetPath(const QString& name)
{
    return QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/budget/") + name;
}

} // namespace

/// Tests of expected and observed memory.
class BudgetViewTest : public QObject
{
    Q_OBJECT

private:
    CapacityChoices m_choices{false};
    std::unique_ptr<MainWindow> m_window;
    BudgetView* m_view = nullptr;

    void choose(const QString& name)
    {
        m_window->page().run().setConfiguration(budgetPath(name));
        QTRY_VERIFY(m_view->study() && m_view->study()->isOfConfiguration && m_view->isSettled());
    }

private slots:
    void initTestCase() { useScratchSettings(); }

    void theNextRunHasNoConfigurationOfTheOneBefore()
    {
        choose(QStringLiteral("r1-grpo.yaml"));
        m_window->openFile(samplePath(QStringLiteral("r5-flan-t5-xl-before")));
        QTRY_VERIFY(m_window->page().document()->path.find("r5-flan") != std::string::npos);
        QVERIFY(m_window->page().run().configuration().isEmpty());
    }

    void theSameFileOpenedAgainKeepsItsConfiguration()
    {
        choose(QStringLiteral("r1-grpo.yaml"));
        const auto before = m_window->page().document();
        m_window->openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_VERIFY(m_window->page().document() != before);
        QVERIFY(!m_window->page().run().configuration().isEmpty());
    }

    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1600, 1000);
        m_window->show();
        m_window->openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_VERIFY(isOn(m_window->page()));
        m_window->openView(QStringLiteral("budget"));
        m_view = qobject_cast<BudgetView*>(m_window->page().panelTabs().current());
    }
    void cleanup() { m_window.reset(); }

    void saysWhatItNeedsBeforeThereIsAConfiguration()
    {
        QVERIFY(m_view->isVisible());
        QVERIFY(textIn(*m_view).contains(QStringLiteral("Choose its configuration")));
        QVERIFY(!m_view->settings().isEnabled());
    }

    void comparesTheRunWithTheNearestGpusBeforeThereIsAConfiguration()
    {
        QTRY_VERIFY(m_view->study() && m_view->isSettled());
        QVERIFY(!m_view->study()->isOfConfiguration);
        QStringList drawn;
        for (const FigureShape& shape : m_view->lines().figure().shapes)
            if (const auto* text = std::get_if<FigureText>(&shape))
                drawn << toQString(text->text);
        for (const GpuFit& fit : m_view->study()->nearestFits())
            QVERIFY2(drawn.filter(toQString(fit.gpu)).size() > 0, fit.gpu.c_str());
        QVERIFY(drawn.filter(QStringLiteral("estimate")).isEmpty());
        QVERIFY(textIn(*m_view).contains(QStringLiteral("run leaks")));
    }

    void judgesTheGpuThatIsChosen()
    {
        m_window->page().setCapacityChoices(m_choices);
        for (const char* name : {"L4", "H100 80"}) {
            m_choices.chooseForAll(capacityFromText(name).value());
            QTRY_VERIFY(m_view->study() && m_view->study()->fits.size() == 1
                && m_view->study()->fits.front().gpu == name);
            QVERIFY(m_view->study()->allFits.size() > 1);
        }
    }

    void anAddressOfTheWebThatIsDroppedChangesNothing()
    {
        choose(QStringLiteral("r1-grpo.yaml"));
        QMimeData data;
        data.setUrls({QUrl(QStringLiteral("https://example.org/run.yaml"))});
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(m_view, &enter);
        QVERIFY(!enter.isAccepted());
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_view, &drop);
        QCOMPARE(m_window->page().run().configuration(), budgetPath(QStringLiteral("r1-grpo.yaml")));
    }

    void aFileThatIsDroppedIsTheConfiguration()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(budgetPath(QStringLiteral("r1-grpo.yaml")))});
        QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_view, &enter);
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_view, &drop);
        QCOMPARE(m_window->page().run().configuration(), budgetPath(QStringLiteral("r1-grpo.yaml")));
    }

    void putsTheObservedBytesBesideTheExpectedOnes()
    {
        choose(QStringLiteral("r1-grpo.yaml"));
        QStringList drawn;
        for (const FigureShape& shape : m_view->lines().figure().shapes)
            if (const auto* text = std::get_if<FigureText>(&shape))
                drawn << toQString(text->text);
        QVERIFY(drawn.contains(QStringLiteral("Parameters")));
        QVERIFY(drawn.contains(QStringLiteral("237.35 MiB")));
        QVERIFY(drawn.contains(QStringLiteral("17.4×")));
        QVERIFY(drawn.contains(QStringLiteral("1.98 GiB")));
        QVERIFY(drawn.contains(QStringLiteral("22.62 GiB")));
        QCOMPARE(m_view->study()->observed->total, Bytes{24287511136});
    }

    void aLineTellsItsExactBytesAndFormulaInItsToolTip()
    {
        choose(QStringLiteral("r1-grpo.yaml"));
        const QString tip = m_view->lines().titleAt(m_view->lines().rectOf(0).center());
        QVERIFY2(tip.contains(QStringLiteral("248,879,616 B")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("124,439,808 × 2")), qPrintable(tip));
    }

    void offersTheSettingsThatThisRunCanVary()
    {
        choose(QStringLiteral("r3-vocabulary.yaml"));
        QComboBox& variations = m_view->variations();
        const int batch = variations.findText(QStringLiteral("batch="), Qt::MatchStartsWith);
        QVERIFY(batch > 0);
        variations.setCurrentIndex(batch);
        emit variations.activated(batch);
        QTRY_VERIFY(m_view->study()->whatIf && m_view->isSettled());
        QCOMPARE(m_view->settings().text(), variations.itemText(batch));
        QCOMPARE(variations.currentIndex(), batch);
    }

    void theLinesHaveTheWholeWidthUntilWhatIfIsUsed()
    {
        choose(QStringLiteral("r1-grpo.yaml"));
        QVERIFY(!m_view->settings().isVisible());
        QTRY_VERIFY(m_view->lines().width() > m_view->width() - 40);
        const int whole = m_view->lines().width();
        QTest::mouseClick(&m_view->whatIfButton(), Qt::LeftButton);
        QVERIFY(m_view->settings().isVisible());
        QTRY_VERIFY(m_view->lines().width() < whole);
    }

    void triesOtherSettings()
    {
        choose(QStringLiteral("r3-vocabulary.yaml"));
        QVERIFY(!m_view->grid().isVisible());
        m_view->settings().setText(QStringLiteral("batch=32,64"));
        QTest::keyClick(&m_view->settings(), Qt::Key_Return);
        QTRY_VERIFY(m_view->study()->whatIf);
        QCOMPARE(m_view->grid().model()->rowCount(), 4); // as run, as configured, and the two
        QVERIFY(m_view->grid().isVisible());
    }

    void whatIfBeginsWithTheRunAsItWentAndTheGpusAgreeWithTheFailure()
    {
        choose(QStringLiteral("r1-grpo.yaml"));
        m_view->computeForSettings(QStringLiteral("batch=8"));
        QTRY_VERIFY(m_view->study()->whatIf && m_view->isSettled());
        const QAbstractItemModel& rows = *m_view->grid().model();
        QCOMPARE(rows.index(0, 0).data().toString(), QStringLiteral("as run"));
        QCOMPARE(rows.index(1, 0).data().toString(), QStringLiteral("as configured"));
        QCOMPARE(rows.index(2, 0).data().toString(), QStringLiteral("8"));
        QCOMPARE(rows.index(0, 1).data().toString(), QStringLiteral("22.62 GiB"));
        QCOMPARE(rows.index(0, 4).data().toString(), QStringLiteral("12.05 GiB"));
        QCOMPARE(rows.index(0, 5).data().toString(), QStringLiteral("5.29 GiB"));
        // The row as configured lacks the memory that earlier steps left behind.
        QCOMPARE(rows.index(1, 4).data().toString(), QStringLiteral("2.21 GiB"));
        QCOMPARE(rows.index(1, 2).data().toString(), QStringLiteral("0 B"));
        for (FoldedText* folded : m_view->findChildren<FoldedText*>())
            folded->unfold(true);
        QVERIFY2(textIn(*m_view).contains(QStringLiteral("The run does not fit L4, at least 1.34 GiB short")),
            qPrintable(textIn(*m_view)));
        QCOMPARE(rows.index(0, 3).data().toString(), QStringLiteral("none: it leaks"));
    }

    void aRunThatFailedIsHeadedWithTheEstimateTheRunItsLeakAndItsGpu()
    {
        choose(QStringLiteral("r1-grpo.yaml"));
        const QString text = textIn(*m_view);
        for (const char* words :
            {"The estimate leaves 19.34 GiB of L4", "The run does not fit L4, at least 1.34 GiB short",
                "policy_log_probs (trainer.py:186)", "on a GPU of at least 22.85 GiB, not on L4"})
            QVERIFY2(text.contains(QString::fromUtf8(words)), qPrintable(text));
    }

    void twoRowsOfGpusAreSeenInTheSmallestWindow()
    {
        m_window->resize(960, 640);
        QTRY_VERIFY(m_view->study() && m_view->isSettled());
        const QWidget* viewport = m_view->lines().parentWidget();
        QTRY_VERIFY(m_view->lines().width() <= viewport->width());
        std::vector<double> rows; // base lines of the answers
        for (const FigureShape& shape : m_view->lines().figure().shapes)
            if (const auto* text = std::get_if<FigureText>(&shape);
                text && text->text.starts_with("no") && std::ranges::find(rows, text->y) == rows.end())
                rows.push_back(text->y);
        QVERIFY(rows.size() > 1);
        QTRY_VERIFY(rows[1] <= viewport->height());
    }

    void theAnswersOfWhatIfAreVisibleWithoutScrollingAt1280Pixels()
    {
        m_window->resize(1280, 800);
        choose(QStringLiteral("r1-grpo.yaml"));
        m_view->computeForSettings(QStringLiteral("batch=4,2,1"));
        QTRY_VERIFY(m_view->study()->whatIf && m_view->isSettled());
        const QTableView& grid = m_view->grid();
        const auto& model = *static_cast<TableModel*>(grid.model());
        for (const char* key : {"expected_bytes", "delta_bytes", "smallest_gpu"}) {
            const int column = model.column(key);
            QTRY_VERIFY2(
                grid.columnViewportPosition(column) + grid.columnWidth(column) <= grid.viewport()->width(),
                key);
        }
    }

    void saysWhatIsWrongWithAConfiguration()
    {
        m_window->page().run().setConfiguration(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_VERIFY(textIn(*m_view).contains(QStringLiteral("r1-grpo-before.pickle.zst")));
        choose(QStringLiteral("r1-grpo.yaml"));
        m_view->computeForSettings(QStringLiteral("colour=red"));
        QTRY_VERIFY(textIn(*m_view).contains(QStringLiteral("cannot be varied")));
    }

    void tellsTheFindingsWhatTheRunIs()
    {
        FindingsView& findings = m_window->page().findings();
        QTRY_VERIFY(m_window->page().run().study());
        QVERIFY(!textIn(findings).contains(QStringLiteral("B=8, T=174")));
        choose(QStringLiteral("r1-grpo.yaml"));
        QTRY_VERIFY(textIn(findings).contains(QStringLiteral("B=8, T=174")));
    }
};

HIGHWATER_APP_TEST(BudgetViewTest)

} // namespace highwater::gui::test

#include "budget_view_test.moc"
