#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "app/timeline/fix_overlay.h"
#include "app/views/findings/finding_delegate.h"
#include "app/views/findings/findings_view.h"
#include "app/views/pages/headline.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/panel_tabs.h"
#include "app/window/main/main_window.h"
#include "app/window/manual/manual_browser.h"
#include "app/window/manual/manual_window.h"
#include "app/window/pages/document_page.h"
#include "core/study/diagnosis/diagnose.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of the run's findings and of their links.
class FindingsViewTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }
    FindingsView& view() { return page().findings(); }
    void open(const QString& sample)
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1600, 1000);
        m_window->show();
        m_window->openFile(samplePath(sample));
        QTRY_VERIFY(isOn(m_window->page()) && page().run().study());
    }
    /// Returns the index of a rule's finding.
    std::size_t numberOf(std::string_view rule)
    {
        const auto& all = page().run().study()->findings();
        const auto found = std::ranges::find(all, rule, &Finding::rule);
        return static_cast<std::size_t>(found - all.begin());
    }
    QTreeWidgetItem* rowOf(const QString& link)
    {
        for (QTreeWidgetItemIterator row(&view().list()); *row; ++row)
            if ((*row)->data(0, Qt::UserRole).toString() == link)
                return *row;
        return nullptr;
    }
    /// Clicks the row's link with the mouse.
    void click(const QString& link)
    {
        QTreeWidgetItem* row = rowOf(link);
        QVERIFY2(row, qPrintable(link));
        if (row->parent())
            row->parent()->setExpanded(true);
        QTreeWidget& list = view().list();
        list.scrollToItem(row);
        const QModelIndex cell = list.indexAt(list.visualItemRect(row).center()).siblingAtColumn(3);
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(cell).center());
    }

    void pointAt(std::size_t number, int column)
    {
        QTreeWidget& list = view().list();
        QTreeWidgetItem* row = rowOf(QStringLiteral("finding:%1").arg(number));
        QVERIFY(row);
        list.scrollToItem(row);
        const QModelIndex cell = list.indexAt(list.visualItemRect(row).center()).siblingAtColumn(column);
        QTest::mouseMove(list.viewport(), list.visualRect(cell).center());
    }
    /// Returns the label of the line over the timeline; empty if there is no line.
    QString shownFix()
    {
        const FixOverlay& fix = page().timeline().fix();
        return fix.line().levels.isEmpty() ? QString() : fix.label();
    }
    QString labelOfFix(std::size_t number)
    {
        const RunStudy& study = *page().run().study();
        const std::optional<FixedRun> fixed = fixedRun(study, study.findings()[number]);
        if (!fixed)
            return {};
        const std::string fit = fixed->fitText.empty() ? "" : " · " + fixed->fitText;
        return QString::fromStdString(fixed->peakText + fit);
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void cleanup() { m_window.reset(); }

    void aKeyThatClosedADialogPointsAtNoSaving()
    {
        open(QStringLiteral("r1-grpo-before"));
        view().list().setCurrentItem(view().list().topLevelItem(0));
        QSignalSpy pointed(&view(), &FindingsView::fixPointedAt);
        QTest::keyRelease(&view().list(), Qt::Key_Return);
        QCOMPARE(pointed.count(), 0);
    }

    void theOrderIsFinalAtTheEndOfTheSearchWhereverThePointerIs()
    {
        const auto document = loadSample(QStringLiteral("r1-grpo-before"));
        RunState run;
        BandView bands;
        FindingsView findings(run, bands);
        findings.resize(900, 400);
        findings.show();
        QEnterEvent enter({5, 5}, {5, 5}, {5, 5});
        QCoreApplication::sendEvent(&findings, &enter);
        run.show(document, document->devices[*document->mainDevice], std::nullopt);
        QTRY_VERIFY_WITH_TIMEOUT(run.study(), 60'000);
        QStringList inOrder;
        for (const std::size_t i : readingOrder(run.study()->findings(), run.study()->diagnosis()))
            if (run.study()->findings()[i].kind == FindingKind::Fault)
                inOrder << QString::fromStdString(run.study()->findings()[i].title);
        const auto titles = [&] {
            QStringList shown;
            for (int i = 0; i < findings.list().topLevelItemCount(); ++i)
                shown << findings.list().topLevelItem(i)->text(FindingDelegate::Sentence);
            return shown;
        };
        QTRY_COMPARE(titles(), inOrder);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&findings, &leave);
        QCOMPARE(titles(), inOrder);
    }

    void theSummaryIsTheFirstViewAndNamesTheDuplicateModel()
    {
        open(QStringLiteral("r5-flan-t5-xl-before"));
        QVERIFY(view().isVisible());
        QVERIFY2(
            textIn(view()).contains(QStringLiteral("3 copies of the model")), qPrintable(textIn(view())));
    }

    /// Findings can be read while detectors still run, in the same order as at the end.
    void eachFindingIsShownAsItComes()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->show();
        const RunState& run = page().run();
        std::vector<std::string> faults;
        QString first;
        bool early = true;
        connect(&run, &RunState::found, &view(), [&] {
            early = early && !run.study() && std::ranges::is_sorted(run.foundSoFar(), comesBefore);
            faults.clear();
            for (const Finding& finding : run.foundSoFar())
                if (finding.kind == FindingKind::Fault)
                    faults.push_back(finding.title);
            if (first.isEmpty() && !faults.empty())
                first = textIn(view());
            for (std::size_t i = 0; i < run.foundSoFar().size(); ++i)
                view().showFinding(i); // a number of the complete findings
            early = early && !view().list().currentItem();
        });
        m_window->openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_VERIFY(run.study());
        QVERIFY(early);
        QVERIFY(run.foundSoFar().empty());
        QVERIFY2(!first.contains(QStringLiteral("Looking for")), qPrintable(first));
        std::vector<std::string> all;
        for (const Finding& finding : run.study()->findings())
            if (finding.kind == FindingKind::Fault)
                all.push_back(finding.title);
        QCOMPARE(faults, all);
        const auto shown = std::ranges::count_if(
            all, [&](const std::string& title) { return first.contains(QString::fromStdString(title)); });
        QVERIFY2(shown >= 1, qPrintable(first));
    }

    /// Both would shrink when a later finding explains an earlier one.
    void aSearchThatGoesOnShowsNoCountAndNoSaving()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->show();
        QStringList headlines;
        QStringList savings;
        connect(&page().run(), &RunState::found, &view(), [&] {
            headlines << page().verdict().headline().verdict();
            for (int i = 0; i < view().list().topLevelItemCount(); ++i)
                savings << view().list().topLevelItem(i)->text(FindingDelegate::Saves);
        });
        m_window->openFile(samplePath(QStringLiteral("r1-grpo-before")));
        QTRY_VERIFY(page().run().study());
        headlines.removeDuplicates();
        savings.removeDuplicates();
        QCOMPARE(headlines, QStringList{QStringLiteral("Looking for problems…")});
        QCOMPARE(savings, QStringList{QString()});
    }

    void theVerdictLeadsToTheSummary()
    {
        open(QStringLiteral("r5-flan-t5-xl-before"));
        page().panelTabs().open(QStringLiteral("steps"));
        QVERIFY(!view().isVisible());
        auto* link = page().verdict().findChild<QToolButton*>(QStringLiteral("findingsLink"));
        QVERIFY(link->text().endsWith(QStringLiteral("faults")));
        QTest::mouseClick(link, Qt::LeftButton);
        QVERIFY(view().isVisible());
    }

    void aFindingLeadsToItsEvent()
    {
        open(QStringLiteral("r1-grpo-before"));
        view().findChild<QToolButton*>("factsLink")->setChecked(true);
        const std::size_t number = numberOf("peak-summary");
        click(QStringLiteral("finding:%1").arg(number));
        QCOMPARE(page().selection().cursor(), std::optional(page().run().study()->findings()[number].event));
    }

    void evidenceLightsItsAllocationsUp_andEscLetsGo()
    {
        open(QStringLiteral("r5-flan-t5-xl-before"));
        const std::size_t number = numberOf("duplicate-model");
        const Finding& finding = page().run().study()->findings()[number];
        const auto lit = std::ranges::find_if(finding.evidence,
            [](const Evidence& piece) { return std::holds_alternative<AllocationsTarget>(piece.target); });
        QVERIFY(lit != finding.evidence.end());
        click(QStringLiteral("evidence:%1:%2").arg(number).arg(lit - finding.evidence.begin()));
        const BandView::Highlight& members = page().bandView().highlighted();
        QVERIFY(members);
        QCOMPARE(std::ranges::count(*members, true),
            static_cast<std::ptrdiff_t>(std::get<AllocationsTarget>(lit->target).allocations.size()));
        page().selection().release();
        page().release();
        QVERIFY(!page().bandView().highlighted());
    }

    void aHighlightIsNamedByTheFirstClauseOfItsTitle()
    {
        open("r1-grpo-before");
        const std::size_t leak = numberOf("growth");
        const QString title = QString::fromStdString(page().run().study()->findings()[leak].title);
        view().showFinding(leak);
        const QString name = page().bandView().highlightName();
        QVERIFY2(name.endsWith(QStringLiteral("per step")) && title.startsWith(name + ','), qPrintable(name));
    }

    void aHealthyRunHasNothingRed()
    {
        open(QStringLiteral("r5-flan-t5-xl-after"));
        QCOMPARE(page().run().study()->faultCount(), std::size_t{0});
        QVERIFY(textIn(page().verdict()).contains(QStringLiteral("No fault found in ")));
        QVERIFY(view().list().topLevelItemCount() > 0); // the rows are facts
    }

    void aRowUnfoldsItsEvidenceAndWhatToDoNext()
    {
        open(QStringLiteral("r1-grpo-before"));
        QTreeWidget& list = view().list();
        QTreeWidgetItem* first = list.topLevelItem(0);
        QVERIFY(!first->isExpanded());
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(first).center());
        QVERIFY(first->isExpanded());
        QVERIFY(first->childCount() > 2);
        QCOMPARE(list.visualItemRect(first).height(), 28);
        QVERIFY(textIn(view()).contains(QStringLiteral("Next: ")));
    }

    void anUnfoldedFindingShowsItsWholeTitle()
    {
        open(QStringLiteral("r5-flan-t5-xl-before"));
        m_window->resize(960, 700);
        QTreeWidget& list = view().list();
        const QTreeWidgetItem* first = list.topLevelItem(0);
        const auto height = [&] { return list.visualItemRect(first).height(); };
        const QFontMetrics font = list.fontMetrics();
        QTRY_VERIFY(font.horizontalAdvance(first->text(FindingDelegate::Sentence))
            > list.columnWidth(FindingDelegate::Sentence));
        list.setFocus();
        QTest::keyClick(&list, Qt::Key_Home);
        const int folded = height();
        QTest::keyClick(&list, Qt::Key_Right);
        QVERIFY(height() >= 2 * font.height());
        QTest::keyClick(&list, Qt::Key_Left);
        QCOMPARE(height(), folded);
    }

    void whereNotAllFindingsHaveRoomForTwoLines_theFirstHaveThem()
    {
        open(QStringLiteral("r1-grpo-before"));
        FindingsView findings(page().run(), page().bandView());
        QTreeWidget& list = findings.list();
        const int last = list.topLevelItemCount() - 1;
        const auto height = [&](int row) { return list.visualItemRect(list.topLevelItem(row)).height(); };
        findings.resize(500, 100);
        findings.show();
        QVERIFY2(height(last) > FindingDelegate::kRowHeight, "where the list scrolls anyway, nothing is cut");
        const int head = findings.height() - list.viewport()->height();
        findings.resize(500, head + (last + 2) * FindingDelegate::kRowHeight);
        QCOMPARE(height(last), FindingDelegate::kRowHeight);
        QVERIFY(height(0) > height(last));
        QVERIFY(list.visualItemRect(list.topLevelItem(last)).bottom() < list.viewport()->height());
    }

    void aFindingOpensItsPageOfTheManual()
    {
        open(QStringLiteral("r5-flan-t5-xl-before"));
        click(QStringLiteral("meaning:%1").arg(numberOf("duplicate-model")));
        auto* const manual = m_window->findChild<ManualWindow*>();
        QVERIFY(manual && manual->isVisible());
        QCOMPARE(manual->browser().file(), QStringLiteral("findings/duplicate-model.md"));
        QVERIFY(manual->browser().toPlainText().contains(QStringLiteral("When it is silent")));
        click(QStringLiteral("meaning:%1").arg(numberOf("too-big")));
        QCOMPARE(manual->browser().file(), QStringLiteral("findings/too-big.md"));
    }

    void theMouseOnASavingShowsTheRunWithTheFix_andLeavingTheRowHidesIt()
    {
        open(QStringLiteral("r1-grpo-before"));
        const std::size_t number = numberOf("growth");
        pointAt(number, FindingDelegate::Saves);
        QTRY_COMPARE(shownFix(), labelOfFix(number));
        pointAt(number, FindingDelegate::Sentence);
        QCOMPARE(shownFix(), labelOfFix(number));
        QTest::mouseMove(&page().timeline());
        QTRY_COMPARE(shownFix(), QString());
    }

    void theCurveWithoutAFindingStaysUntilEsc()
    {
        open(QStringLiteral("r1-grpo-before"));
        const std::size_t number = numberOf("growth");
        click(QStringLiteral("curve:%1").arg(number));
        QTest::mouseMove(&page().timeline());
        QTRY_COMPARE(shownFix(), labelOfFix(number));
        QTest::qWait(50);
        QCOMPARE(shownFix(), labelOfFix(number));
        page().timeline().setFocus();
        QTest::keyClick(&page().timeline(), Qt::Key_Escape);
        QTRY_COMPARE(shownFix(), QString());
    }

    void theMouseOnASentenceShowsNoFix()
    {
        open(QStringLiteral("r1-grpo-before"));
        pointAt(numberOf("growth"), FindingDelegate::Sentence);
        QTest::qWait(50);
        QCOMPARE(shownFix(), QString());
    }

    void aFindingWithoutASavingShowsNoFix()
    {
        open(QStringLiteral("r1-grpo-before"));
        pointAt(numberOf("growth"), FindingDelegate::Saves);
        QTRY_VERIFY(!shownFix().isEmpty());
        pointAt(numberOf("too-big"), FindingDelegate::Saves);
        QTRY_COMPARE(shownFix(), QString());
    }

    void theKeyboardOnASavingShowsTheRunWithTheFix()
    {
        open(QStringLiteral("r1-grpo-before"));
        QTreeWidget& list = view().list();
        const std::size_t number = numberOf("growth");
        list.setFocus();
        QTest::keyClick(&list, Qt::Key_Home);
        while (list.currentItem() != rowOf(QStringLiteral("finding:%1").arg(number)))
            QTest::keyClick(&list, Qt::Key_Down);
        QTRY_COMPARE(shownFix(), labelOfFix(number));
        page().timeline().setFocus();
        QTRY_COMPARE(shownFix(), QString());
    }

    void theHeadlineShowsTheRunWithTheFix()
    {
        open(QStringLiteral("r5-flan-t5-xl-before"));
        const Diagnosis& diagnosis = page().run().study()->diagnosis();
        QVERIFY(diagnosis.named);
        const auto& all = page().run().study()->findings();
        const std::size_t number = all[*diagnosis.named].remedy.removed ? *diagnosis.named : *diagnosis.worst;
        QTest::mouseMove(page().verdict().findChild<QWidget*>(QStringLiteral("headline")));
        QTRY_COMPARE(shownFix(), labelOfFix(number));
        QTest::mouseMove(&page().timeline());
        QTRY_COMPARE(shownFix(), QString());
    }

    void factsAreShownOnDemand()
    {
        open(QStringLiteral("r1-grpo-before"));
        const int faults = view().list().topLevelItemCount();
        auto* facts = view().findChild<QToolButton*>(QStringLiteral("factsLink"));
        QTest::mouseClick(facts, Qt::LeftButton);
        QVERIFY(view().list().topLevelItemCount() > faults);
        const QRect first = view().list().visualItemRect(view().list().topLevelItem(faults));
        QVERIFY(first.top() >= 0 && first.bottom() < view().list().viewport()->height());
        QTest::mouseClick(facts, Qt::LeftButton);
        QCOMPARE(view().list().topLevelItemCount(), faults);
    }
};

HIGHWATER_APP_TEST(FindingsViewTest)

} // namespace highwater::gui::test

#include "findings_view_test.moc"
