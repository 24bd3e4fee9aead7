#include <QLabel>
#include <QTest>

#include "app/views/pages/headline.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/stack_view.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests that the window names the line that keeps memory.
class KeptByTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }
    FactSheet& facts() { return *page().details().findChild<FactSheet*>("facts"); }
    StackView& stack() { return *page().details().findChild<StackView*>("stack"); }
    QLabel& problem() { return *page().details().findChild<QLabel*>("sourceProblem"); }

    void open(const QString& sample)
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->openFile(samplePath(sample));
        QTRY_VERIFY(isOn(page()) && page().run().study() && page().timeline().isSettled());
    }
    void pin(AllocationIndex allocation)
    {
        page().selection().pin(allocation);
        QTRY_VERIFY(facts().isVisible() && stack().topLevelItemCount() > 0);
    }
    /// Pins the first allocation that a line of the finding keeps.
    void pinKept(std::size_t keeper)
    {
        open(QStringLiteral("r1-grpo-before"));
        const Finding* leak = page().run().study()->finding("growth");
        QVERIFY(leak && keeper < leak->keepers.size());
        pin(leak->keepers[keeper].allocations.front());
        QTRY_VERIFY(!facts().linkRect().isEmpty());
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void cleanup() { m_window.reset(); }

    void theHeadlineNamesTheLineWholeAt1280()
    {
        open(QStringLiteral("fault-retained-graph"));
        const QString shown = page().verdict().headline().shownLines().join(QLatin1Char(' '));
        QVERIFY2(
            shown.contains(QStringLiteral("from validate (train.py:91) is never freed")), qPrintable(shown));
    }

    void theDetailsNameTheLineThatKeepsALeak()
    {
        pinKept(0);
        QVERIFY(page().details().text().contains(
            QStringLiteral("allocated through: policy_log_probs (trainer.py:186)")));
    }

    void eachPartOfALeakHasItsOwnLine()
    {
        pinKept(1);
        QVERIFY(page().details().text().contains(
            QStringLiteral("allocated through: reference_log_probs (trainer.py:171)")));
    }

    void aClickOnTheLineShowsItsSourceAndItsRow()
    {
        pinKept(0);
        QTest::mouseClick(&facts(), Qt::LeftButton, {}, facts().linkRect().center());
        QTRY_COMPARE(problem().text(), QStringLiteral("Source not found: /workspace/grpo/trainer.py"));
        QVERIFY(stack().currentItem()->text(0).contains(QStringLiteral("trainer.py:186")));
    }

    void theKeyboardFollowsTheLineToo()
    {
        pinKept(0);
        facts().setFocus(Qt::TabFocusReason);
        QTest::keyClick(&facts(), Qt::Key_Return);
        QTRY_COMPARE(problem().text(), QStringLiteral("Source not found: /workspace/grpo/trainer.py"));
    }

    void whatIsFreedInTimeIsKeptByNoLine()
    {
        open(QStringLiteral("r1-grpo-before"));
        const std::vector<Finding>& findings = page().run().study()->findings();
        AllocationIndex allocation = 0; // of the graph that generation builds and frees
        while (!findKeeper(findings, allocation)
            || page().analysis()->keptBlocks->keptSince(allocation) != KeptBlocks::kNever
            || !page().analysis()->trace->stacks.hasFrames(page().analysis()->allocations.stack(allocation)))
            ++allocation;
        pin(allocation);
        QVERIFY(facts().linkRect().isEmpty() && facts().focusPolicy() == Qt::NoFocus);
        QVERIFY(!page().details().text().contains(QStringLiteral("allocated through")));
    }
};

HIGHWATER_APP_TEST(KeptByTest)

} // namespace highwater::gui::test

#include "kept_by_test.moc"
