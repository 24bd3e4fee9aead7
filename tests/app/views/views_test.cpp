#include <map>

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QPaintEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include "app/loading/load_file.h"
#include "app/timeline/parts/text_cache.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/charts/legend_rows.h"
#include "app/views/charts/memory_gauge.h"
#include "app/views/pages/document_limits.h"
#include "app/views/pages/import_log_view.h"
#include "app/views/pages/sample_card.h"
#include "app/views/pages/start_page.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/fact_sheet.h"
#include "app/views/parts/message_bar.h"
#include "app/views/side_panel/allocation_facts.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/stack_view.h"
#include "app/workspace/document/document.h"
#include "app/workspace/document/recent_files.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/stacks/folded_stack.h"
#include "core/study/outcome/key_moment.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

QString valueOf(const std::vector<Fact>& facts, const QString& name)
{
    for (const Fact& fact : facts)
        if (fact.name == name)
            return fact.value;
    return {};
}

AllocationIndex bornAt(const DeviceAnalysis& analysis, std::int64_t event)
{
    return analysis.allocations.ofEvent(event);
}

/// Records the area that a widget has painted since its creation.
class PaintedRegion : public QObject
{
public:
    explicit PaintedRegion(QWidget& widget) { widget.installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            region += static_cast<QPaintEvent*>(event)->region();
        return false;
    }
    QRegion region;
};

std::size_t frameLines(const std::vector<StackLine>& lines)
{
    std::size_t count = 0;
    for (const StackLine& line : lines)
        count += line.folded.empty() ? 1 : line.folded.size();
    return count;
}

} // namespace

class ViewsTest : public QObject
{
    Q_OBJECT

private slots:
    void legendRowsSumToTheTotalWhateverIsCutOff_data()
    {
        QTest::addColumn<QString>("sample");
        for (const char* name :
            {"tiny-hand-checked", "r1-grpo-before", "ring-buffer-overflow", "r5-flan-t5-xl-after"})
            QTest::newRow(name) << name;
    }
    void legendRowsSumToTheTotalWhateverIsCutOff()
    {
        QFETCH(QString, sample);
        const auto analysis = mainAnalysis(sample);
        BandView view;
        view.setAnalysis(analysis);
        const std::int64_t step = std::max<std::int64_t>(1, analysis->allocations.eventCount() / 40);
        for (std::int64_t event = -1; event < analysis->allocations.eventCount(); event += step) {
            for (const std::size_t top : {1u, 3u, 10u}) {
                Bytes bytes = 0;
                std::int64_t count = 0;
                for (const LegendRow& row : legendRows(view, event, top)) {
                    bytes += row.bytes;
                    count += row.count;
                }
                QCOMPARE(bytes, analysis->curve.at(event));
                QCOMPARE(count, static_cast<std::int64_t>(analysis->allocations.liveAt(event).size()));
            }
        }
    }

    void inferredCategoriesSayTheirGradeInTheTip()
    {
        const auto analysis = mainAnalysis("training-6-steps-bare");
        BandView view;
        view.setAnalysis(analysis);
        view.setMode(BandMode::Category);
        QTRY_COMPARE(view.mode(), BandMode::Category);
        QStringList labels;
        QStringList tips;
        for (const LegendRow& row : legendRows(view, analysis->figures.peakEvent)) {
            labels << row.label;
            tips << row.tip;
        }
        QVERIFY2(labels.contains("parameters") && labels.contains("optimizer state"),
            qPrintable(labels.join(", ")));
        QVERIFY2(tips.contains("parameters (likely)"), qPrintable(tips.join(", ")));
    }

    void aCategoryThatIsAGuessSaysSo()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis);
        QStringList labels;
        QStringList explained;
        for (const LegendRow& row : legendRows(view, analysis->figures.peakEvent)) {
            labels << row.label;
            if (row.tip.contains(guessText()))
                explained << row.label;
        }
        QVERIFY2(labels.contains("gradients"), qPrintable(labels.join(", ")));
        QCOMPARE(explained, QStringList{"inputs (guess)"});
    }

    void theLegendHasKeptAndReservedMemory()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        Selection selection;
        BandView view;
        view.setAnalysis(analysis);
        LegendBar legend(selection, view);
        legend.resize(1900, legend.sizeHint().height());
        legend.setColors(ThemeColors::light());
        std::vector<AllocationIndex> live;
        analysis->live.liveAt(analysis->figures.peakEvent, live);
        Bytes kept = 0;
        for (const AllocationIndex i : live)
            kept += analysis->keptBlocks->isKept(i, analysis->figures.peakEvent)
                ? analysis->allocations.bytes(i)
                : 0;
        const auto& entries = legend.extras().entries();
        QCOMPARE(entries.size(), std::size_t{2});
        QVERIFY(entries[0].isKept && kept > 0);
        QCOMPARE(entries[0].bytes, std::optional<Bytes>(kept));
        QCOMPARE(entries[1].bytes, analysis->curve.reservedAt(analysis->figures.peakEvent));
        QVERIFY(legend.accessibleDescription().contains("kept from earlier steps: " + bytesText(kept)));
    }

    void theLegendHasNoHatchingWhereNoBandIsThickEnoughForIt()
    {
        const auto analysis = mainAnalysis("../long/thousand-steps");
        QVERIFY(analysis->keptBlocks->isAny());
        Selection selection;
        BandView view;
        view.setAnalysis(analysis);
        LegendBar legend(selection, view);
        legend.setColors(ThemeColors::light());
        QVERIFY(std::ranges::none_of(legend.extras().entries(), &LegendExtras::Entry::isKept));
    }

    void theLegendGivesKeptMemoryAsAPartOfItsGroups()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis);
        Bytes kept = 0;
        for (const LegendRow& row : legendRows(view, analysis->figures.peakEvent)) {
            QVERIFY(row.kept <= row.bytes);
            kept += row.kept;
        }
        QVERIFY(kept > 0 && kept < analysis->figures.peakBytes);
    }

    void theRestOfTheLegendSaysHowManySitesItIs()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis, analysis->sitePalette);
        const auto rows = legendRows(view, analysis->figures.peakEvent, 3);
        const auto all = legendRows(view, analysis->figures.peakEvent, 1000);
        QVERIFY(!rows[3].group && !rows[3].color.isValid());
        QCOMPARE(rows[3].label, QStringLiteral("other sites (%1)").arg(all.size() - 3));
        QVERIFY(rows[0].bytes >= rows[1].bytes && rows[1].bytes >= rows[2].bytes);
    }

    void legendRowsOfEveryModeSumToTheTotal_data()
    {
        QTest::addColumn<QString>("sample");
        for (const char* name : {"private-pool", "two-streams-record-stream", "r1-grpo-before"})
            QTest::newRow(name) << name;
    }
    void legendRowsOfEveryModeSumToTheTotal()
    {
        QFETCH(QString, sample);
        const auto analysis = mainAnalysis(sample);
        BandView view;
        view.setAnalysis(analysis);
        QVERIFY(view.modes().size() >= 3);
        for (const BandMode mode : view.modes()) {
            view.setMode(mode);
            QTRY_COMPARE(view.mode(), mode);
            const std::int64_t events = analysis->allocations.eventCount();
            for (std::int64_t event = -1; event < events; event += std::max<std::int64_t>(1, events / 25)) {
                std::map<GroupRank, Bytes> expected;
                for (const AllocationIndex i : analysis->allocations.liveAt(event))
                    expected[view.groups()->rank(i)] += analysis->allocations.bytes(i);
                Bytes total = 0;
                for (const LegendRow& row : legendRows(view, event, 2)) {
                    total += row.bytes;
                    if (row.group)
                        QCOMPARE(row.bytes, expected[*row.group]);
                }
                QCOMPARE(total, analysis->curve.at(event));
            }
        }
    }

    void theRestIsNamedByTheMode()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis);
        view.setMode(BandMode::SizeClass);
        QTRY_COMPARE(view.mode(), BandMode::SizeClass);
        const auto rows = legendRows(view, analysis->figures.peakEvent, 3);
        const auto all = legendRows(view, analysis->figures.peakEvent, 1000);
        QCOMPARE(rows[3].label, QStringLiteral("other sizes (%1)").arg(all.size() - 3));
        QVERIFY(rows[0].label.contains(" to "));
    }

    void aGroupThatIsNotLiveKeepsItsRow()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandView view;
        view.setAnalysis(analysis);
        QCOMPARE(analysis->curve.at(-1), Bytes(0));
        const auto before = legendRows(view, -1);
        const auto atPeak = legendRows(view, analysis->figures.peakEvent);
        QCOMPARE(before.size(), atPeak.size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            QCOMPARE(before[i].group, atPeak[i].group);
            QCOMPARE(before[i].count, std::int64_t{0});
        }
    }

    void aClickOnTheLegendIsolatesAndWithCtrlHides()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        Selection selection;
        BandView view;
        LegendBar legend(selection, view);
        view.setAnalysis(analysis);
        legend.resize(1000, legend.sizeHint().height());
        legend.show();
        QVERIFY(legend.heading().endsWith("by category"));
        const GroupRank first = legend.rows()[0].group.value();
        const QPoint at = legend.rowRect(0).center();
        QTest::mouseClick(&legend, Qt::LeftButton, {}, at);
        QCOMPARE(view.isolated(), std::optional<GroupRank>(first));
        QCOMPARE(legend.rows()[0].group, std::optional<GroupRank>(first));
        QTest::mouseClick(&legend, Qt::LeftButton, {}, at);
        QVERIFY(!view.isolated() && !view.emphasis());
        QTest::mouseClick(&legend, Qt::LeftButton, Qt::ControlModifier, at);
        QVERIFY(view.isHidden(first) && !view.isolated());
        QTest::mouseClick(&legend, Qt::LeftButton, Qt::ControlModifier, at);
        QVERIFY(!view.isHidden(first) && !view.emphasis());
        for (std::size_t i = 0; i < legend.rows().size(); ++i)
            if (!legend.rows()[i].group)
                QTest::mouseClick(&legend, Qt::LeftButton, {}, legend.rowRect(i).center());
        QVERIFY(!view.hasChosenGroups());
    }

    void theKeyboardWorksTheLegend()
    {
        Selection selection;
        BandView view;
        LegendBar legend(selection, view);
        legend.resize(1200, 24);
        const auto analysis = mainAnalysis("r1-grpo-before");
        view.setAnalysis(analysis, analysis->sitePalette);
        view.setMode(BandMode::Site);
        QTest::keyClick(&legend, Qt::Key_Down);
        QTest::keyClick(&legend, Qt::Key_Right);
        QTest::keyClick(&legend, Qt::Key_Up);
        QTest::keyClick(&legend, Qt::Key_Space);
        QCOMPARE(view.isolated(), legend.rows()[1].group);
        QTest::keyClick(&legend, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(view.isHidden(*legend.rows()[1].group) && !view.isolated());
        QVERIFY(legend.accessibleDescription().contains(legend.rows()[1].label));
    }

    void factsOfAnAllocationAgreeWithTheHandCheckedFile()
    {
        const auto analysis = mainAnalysis("tiny-hand-checked");
        const AllocationFacts facts = allocationFacts(*analysis, bornAt(*analysis, 4), std::nullopt);
        QCOMPARE(facts.title, QStringLiteral("Allocation of event 4"));
        QCOMPARE(valueOf(facts.what, "requested"), QStringLiteral("2 MiB"));
        QCOMPARE(valueOf(facts.what, "allocated at"), QStringLiteral("event 4"));
        QCOMPARE(valueOf(facts.what, "freed at"), QStringLiteral("event 12"));
        QCOMPARE(valueOf(facts.what, "lifetime"), QStringLiteral("8 events"));
        QCOMPARE(valueOf(facts.what, "category"), QStringLiteral("activations"));
        QCOMPARE(valueOf(facts.what, "at the run's peak"), QStringLiteral("9%"));
        QCOMPARE(facts.stackTitle, QStringLiteral("Allocated by"));
    }

    void factsHoldTheShapeThatASizeMayBe()
    {
        const auto analysis = mainAnalysis("training-6-steps-bare");
        bool logits = false;
        for (const AllocationIndex allocation : analysis->allocations.liveAt(analysis->figures.peakEvent)) {
            const AllocationFacts facts = allocationFacts(*analysis, allocation, std::nullopt);
            const Bytes size = analysis->allocations.recordedBytes(allocation);
            if (size == Bytes{2048} * 8192 * 4) {
                logits = true;
                QCOMPARE(valueOf(facts.what, "shape"), QStringLiteral("[2048, 8192] fp32"));
                QVERIFY(plainText(*analysis, facts).contains("guess: B·T · vocabulary"));
            } else if (size == 4) {
                for (const Fact& fact : facts.what)
                    QVERIFY2(fact.name != QStringLiteral("shape"), "a scalar has none");
            }
        }
        QVERIFY(logits);
    }

    void whatIsNotLiveAtThePeakSaysSo()
    {
        const auto analysis = mainAnalysis("tiny-hand-checked");
        const AllocationFacts facts = allocationFacts(*analysis, bornAt(*analysis, 15), std::nullopt);
        QCOMPARE(valueOf(facts.what, "at the run's peak"), QStringLiteral("not in use"));
    }

    void whatIsOlderOrStillLiveSaysSo()
    {
        const auto analysis = mainAnalysis("ring-buffer-overflow");
        QVERIFY(analysis->allocations.olderCount() > 0);
        const AllocationFacts older = allocationFacts(*analysis, 0, std::nullopt);
        QCOMPARE(valueOf(older.what, "allocated at"), QStringLiteral("before recording began"));
        QCOMPARE(valueOf(older.what, "freed at"), QStringLiteral("still in use at the end"));
        QVERIFY(valueOf(older.what, "lifetime").startsWith("at least"));
    }

    void sameStackCountsWhatIsAliveAtThatMoment()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        const std::int64_t event = analysis->figures.peakEvent;
        for (const AllocationIndex allocation : analysis->allocations.liveAt(event)) {
            const AllocationFacts facts = allocationFacts(*analysis, allocation, event);
            if (facts.sameStack.empty())
                continue;
            std::int64_t count = 0;
            for (const AllocationIndex other : analysis->allocations.liveAt(event))
                count += analysis->allocations.stack(other) == facts.stack;
            QVERIFY(valueOf(facts.sameStack, "in use").startsWith(QString::number(count) + " allocation"));
            return;
        }
        QFAIL("no live allocation has a stack");
    }

    void foldingKeepsEveryFrame()
    {
        const auto analysis = mainAnalysis("training-6-steps-bare");
        for (AllocationIndex i = 0; i < analysis->allocations.size(); i += 5) {
            const StackId stack = analysis->allocations.stack(i);
            QCOMPARE(frameLines(foldedStack(*analysis->trace, stack)),
                analysis->trace->stacks.frames(stack).size());
        }
    }

    void librariesAreNamedByTheirPackage()
    {
        QCOMPARE(libraryName("/usr/lib/python3/site-packages/torch/nn/modules/module.py"),
            std::string("torch.nn"));
        QCOMPARE(libraryName("/x/site-packages/torch/functional.py"), std::string("torch.functional"));
        QCOMPARE(libraryName("torch\\nn\\modules\\linear.py"), std::string("torch.nn"));
        QCOMPARE(libraryName("/usr/lib/python3.12/contextlib.py"), std::string("the standard library"));
        QCOMPARE(libraryName("/tmp/torchinductor_me/ab/cab.py"), std::string("torch.compile"));
    }

    void aFoldOpensAndClosesByClick()
    {
        StackView view;
        view.setStack(
            {{"main (a.py:1)", "/x/a.py:1", {}}, {"2 C++ frames", "", {{"f", "", {}}, {"g", "", {}}}}});
        view.resize(300, 200);
        view.show();
        QTreeWidgetItem* fold = view.topLevelItem(1);
        QCOMPARE(fold->text(0), QStringLiteral("▸ 2 C++ frames"));
        const QPoint at = view.visualItemRect(fold).center();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at);
        QVERIFY(fold->isExpanded());
        QCOMPARE(fold->text(0), QStringLiteral("▾ 2 C++ frames"));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at);
        QVERIFY(!fold->isExpanded());
    }

    void anotherStackLeavesNothingOfTheLast()
    {
        StackView view;
        const std::vector<StackLine> folded = {{"2 C++ frames", "", {{"f", "", {}}, {"g", "", {}}}}};
        view.setStack(folded);
        QVERIFY(!view.topLevelItem(0)->isExpanded()); // C++ frames alone are folded, too
        view.topLevelItem(0)->setExpanded(true);
        QCOMPARE(view.topLevelItem(0)->childCount(), 2);
        view.setStack(
            {{"main (a.py:1)", "/x/a.py:1", {}}, {"2 C++ frames", "", {{"h", "", {}}, {"i", "", {}}}}});
        QCOMPARE(view.topLevelItemCount(), 2);
        QCOMPARE(view.topLevelItem(0)->text(0), QStringLiteral("main (a.py:1)"));
        QVERIFY(!view.topLevelItem(0)->isExpanded());
        view.topLevelItem(1)->setExpanded(true);
        QCOMPARE(view.topLevelItem(1)->child(0)->text(0), QStringLiteral("h"));
        view.setStack(folded);
        QCOMPARE(view.topLevelItemCount(), 1);
        view.topLevelItem(0)->setExpanded(true);
        QCOMPARE(view.topLevelItem(0)->child(1)->text(0), QStringLiteral("g"));
    }

    void anOpenFoldStaysOpenWhileTheCursorMoves()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        Selection selection;
        DetailsPanel panel(selection);
        panel.show(analysis);
        panel.QWidget::show();
        selection.pin(bornAt(*analysis, analysis->allocations.births()[analysis->allocations.size() - 1]));
        auto* stack = panel.findChild<StackView*>("stack");
        int fold = 0;
        while (stack->topLevelItem(fold)->childIndicatorPolicy() != QTreeWidgetItem::ShowIndicator)
            ++fold;
        stack->topLevelItem(fold)->setExpanded(true);
        selection.setCursor(2);
        QTest::qWait(2 * FrameThrottle::kFrameMilliseconds);
        QVERIFY(stack->topLevelItem(fold)->isExpanded());
    }

    void theDetailsAreHighEnoughForTheWholeStack()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        Selection selection;
        DetailsPanel panel(selection);
        panel.resize(260, 100);
        panel.show(analysis);
        panel.QWidget::show();
        selection.pin(bornAt(*analysis, analysis->allocations.births()[analysis->allocations.size() - 1]));
        const auto* stack = panel.findChild<StackView*>("stack");
        QTRY_VERIFY(stack->isVisible() && stack->topLevelItemCount() > 5);
        panel.resize(panel.width(), panel.minimumHeight());
        QTRY_COMPARE(stack->verticalScrollBar()->maximum(), 0);
    }

    void factsNeitherLeaveTheirSheetNorMeet()
    {
        const QString longText
            = QStringLiteral("a call site of many words and_one_that_is_wider_than_all_the_rest_of_them");
        for (const int width : {120, 260, 600}) {
            FactSheet sheet;
            sheet.resize(width, 400);
            sheet.setParagraphs({{Paragraph::Kind::Title, longText, {}, {}},
                {Paragraph::Kind::Fact, QStringLiteral("64 MiB"), QStringLiteral("requested"),
                    QStringLiteral("67,108,864 B")},
                {Paragraph::Kind::Fact, longText, QStringLiteral("call site"), {}},
                {Paragraph::Kind::Heading, QStringLiteral("Allocated by"), {}, {}}});
            std::vector<QRect> rects = sheet.lineRects();
            QVERIFY(rects.size() > 6);
            for (std::size_t i = 0; i < rects.size(); ++i) {
                QVERIFY(QRect(0, 0, width, sheet.textHeight()).contains(rects[i]));
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY(!rects[i].intersects(rects[k]));
            }
        }
    }

    void aChangedFactPaintsOnlyItsOwnLine()
    {
        FactSheet sheet;
        const auto facts = [](const QString& second) -> std::vector<Paragraph> {
            return {{Paragraph::Kind::Fact, QStringLiteral("a"), QStringLiteral("one"), {}},
                {Paragraph::Kind::Fact, second, QStringLiteral("two"), {}}};
        };
        sheet.resize(300, 100);
        sheet.setParagraphs(facts(QStringLiteral("b")));
        sheet.show();
        QVERIFY(QTest::qWaitForWindowExposed(&sheet));
        PaintedRegion painted(sheet);
        sheet.setParagraphs(facts(QStringLiteral("c")));
        QTRY_VERIFY(!painted.region.isEmpty());
        QVERIFY(!painted.region.intersects(sheet.lineRects()[1]));
        QVERIFY(painted.region.intersects(sheet.lineRects()[3]));
        QCOMPARE(sheet.textAt(sheet.lineRects()[3].center()), QStringLiteral("c"));
    }

    void theLegendsColumnsStayWhereTheyAreWhileTheCursorMoves()
    {
        const auto analysis = mainAnalysis("training-6-steps-bare");
        BandView bands;
        bands.setAnalysis(analysis);
        bands.setMode(BandMode::SizeClass);
        QTRY_COMPARE(bands.mode(), BandMode::SizeClass);
        Selection selection;
        LegendBar legend(selection, bands);
        legend.resize(1200, 100);
        selection.setCursor(analysis->figures.peakEvent);
        legend.resize(1200, legend.sizeHint().height());
        for (std::size_t i = 0; i < legend.rows().size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                QVERIFY(!legend.rowRect(i).intersects(legend.rowRect(k)));
        for (std::int64_t event = 0; event < analysis->allocations.eventCount(); event += 97) {
            selection.setCursor(event);
            for (std::size_t i = 0; i < legend.rows().size(); ++i)
                QVERIFY(legend.rowRect(i).isNull() || legend.rect().contains(legend.rowRect(i)));
        }
    }

    void aLineEndsBeforeAPlaceAndNotInIt()
    {
        TextCache texts;
        texts.setFont(QFont());
        const int room = texts.width(QStringLiteral("forward (model.py:5"));
        QCOMPARE(texts.linesOf(room, QStringLiteral("forward (model.py:54)")),
            QStringList({QStringLiteral("forward"), QStringLiteral("(model.py:54)")}));
    }

    void aTextIsBrokenIntoLinesThatFitAndLosesNothing()
    {
        TextCache texts;
        texts.setFont(QFont());
        const QString text
            = QStringLiteral("some words and_a_name_that_is_far_too_wide_for_the_room of a line");
        const QStringList lines = texts.linesOf(90, text);
        QVERIFY(lines.size() > 3);
        for (const QString& line : lines)
            QVERIFY(texts.width(line) <= 91);
        QCOMPARE(QString(lines.join(QString())).remove(' '), QString(text).remove(' '));
        QCOMPARE(texts.linesOf(10000, text), QStringList{text});
        QVERIFY(texts.width(texts.elidedTo(90, text)) <= 90);
        QCOMPARE(texts.elidedTo(10000, text), text);
    }

    void copyingDetailsTakesEveryFrame()
    {
        const auto analysis = mainAnalysis("tiny-hand-checked");
        Selection selection;
        DetailsPanel panel(selection);
        panel.show(analysis);
        panel.QWidget::show();
        selection.pin(bornAt(*analysis, 1));
        QGuiApplication::clipboard()->clear();
        QTest::mouseClick(panel.findChild<QPushButton*>("copyDetails"), Qt::LeftButton);
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY(text.contains("4 MiB (4,194,304 B)"));
        for (const FrameId id :
            analysis->trace->stacks.frames(analysis->allocations.stack(bornAt(*analysis, 1))))
            QVERIFY(text.contains(QString::fromStdString(
                std::string(analysis->trace->text(analysis->trace->stacks.frame(id).function)))));
    }

    void theVerdictNamesThePeakAndTheFailure()
    {
        const auto document = loadSample("oom-fragmentation");
        VerdictBar bar;
        bar.show(*document, *document->devices[0]);
        const QString text = textIn(bar);
        QVERIFY(text.contains("4.65 GiB"));
        QVERIFY(text.contains("900 MiB requested"));
        QVERIFY(text.contains("300 MiB free on the GPU"));
        const auto fine = loadSample("tiny-hand-checked");
        bar.show(*fine, *fine->devices[0]);
        QVERIFY(!textIn(bar).contains("out of memory", Qt::CaseInsensitive));
        QVERIFY(textIn(bar).contains("22 MiB"));
    }

    void theBarOfTheGaugeIsInItsMiddle()
    {
        MemoryGauge gauge;
        GaugeFigures figures;
        figures.used = kGiB;
        figures.usedText = QStringLiteral("1 GiB in use");
        figures.moment = QStringLiteral("at the peak");
        gauge.setFigures(figures);
        gauge.resize(gauge.sizeHint());
        const QImage picture = gauge.grab().toImage();
        QCOMPARE(picture.pixelColor(5, picture.height() / 2), ThemeColors::light().quietText);
    }

    void aGaugeWithoutAMomentKeepsTheSizeOfTheGpu()
    {
        MemoryGauge gauge;
        GaugeFigures figures;
        figures.usedText = QStringLiteral("22.62 GiB in use");
        figures.reservedText = QStringLiteral("22.81 GiB reserved");
        figures.capacityText = QStringLiteral("GPU 23.65 GiB");
        gauge.setFigures(figures);
        gauge.resize(gauge.fontMetrics().horizontalAdvance(figures.usedText) + 20, gauge.sizeHint().height());
        QCOMPARE(gauge.shownTexts(), QStringList(figures.capacityText));
    }

    void aNarrowGaugeWithoutACapacityNamesBothPartsOfItsBar()
    {
        MemoryGauge gauge;
        GaugeFigures figures;
        figures.usedText = QStringLiteral("88.89 GiB in use");
        figures.reservedText = QStringLiteral("133.15 GiB reserved");
        figures.moment = QStringLiteral("highest values");
        gauge.setFigures(figures);
        gauge.resize(
            gauge.fontMetrics().horizontalAdvance(figures.reservedText) + 20, gauge.sizeHint().height());
        QCOMPARE(gauge.shownTexts(), QStringList({figures.usedText, figures.reservedText}));
    }

    void aNarrowGaugeNamesTheReservedBytesRatherThanItsMoment()
    {
        MemoryGauge gauge;
        GaugeFigures figures;
        figures.usedText = QStringLiteral("4.37 GiB in use");
        figures.reservedText = QStringLiteral("7.24 GiB reserved");
        figures.capacityText = QStringLiteral("GPU ≥ 7.53 GiB");
        figures.moment = QStringLiteral("when memory ran out");
        gauge.setFigures(figures);
        gauge.resize(gauge.fontMetrics().horizontalAdvance(figures.usedText + figures.capacityText) + 14,
            gauge.sizeHint().height());
        QCOMPARE(
            gauge.shownTexts(), QStringList({figures.usedText, figures.capacityText, figures.reservedText}));
    }

    void aReservedPartWithoutRoomForItsFigureIsNotDrawnApart()
    {
        MemoryGauge gauge;
        GaugeFigures figures;
        figures.used = kGiB;
        figures.reserved = 2 * kGiB;
        figures.capacity = 4 * kGiB;
        figures.usedText = QStringLiteral("1 GiB in use");
        figures.reservedText = QStringLiteral("2 GiB reserved");
        figures.capacityText = QStringLiteral("process limit 4 GiB");
        figures.moment = QStringLiteral("at the peak");
        gauge.setFigures(figures);
        const auto colorOfReserved = [&](int width) {
            gauge.resize(width, gauge.sizeHint().height());
            return gauge.grab().toImage().pixelColor(width * 3 / 8, gauge.height() / 2);
        };
        QCOMPARE(colorOfReserved(360), ThemeColors::light().reservedEdge);
        QCOMPARE(colorOfReserved(gauge.fontMetrics().horizontalAdvance(figures.capacityText) + 10),
            ThemeColors::light().hover);
    }

    void aGaugeCutsItsMomentBetweenWords()
    {
        MemoryGauge gauge;
        GaugeFigures figures;
        figures.usedText = QStringLiteral("6 MiB in use");
        figures.moment = QStringLiteral("highest readable total");
        gauge.setFigures(figures);
        gauge.resize(gauge.fontMetrics().horizontalAdvance(figures.moment) - 4, gauge.sizeHint().height());
        QCOMPARE(gauge.shownTexts(), QStringList({figures.usedText, QStringLiteral("highest readable…")}));
    }

    void aRecordingWithItsStartCutOffSaysSo()
    {
        QVERIFY(documentLimits(*loadSample("ring-buffer-overflow")).contains("recording starts late"));
        QVERIFY(documentLimits(*loadSample("tiny-hand-checked")).isEmpty());
    }

    void aRehearsedRecordingSaysSo()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("rehearsed.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"segments": [], "device_traces": [[{"action": "alloc", "addr": 4096, "size": 100,
            "stream": 0, "time_us": 5, "frames": []}]], "highwater_rehearsal": {"gpu": "L4"}})");
        file.close();
        const std::string path = file.fileName().toStdString();
        Result<ImportedTrace> imported = loadFile(path, {});
        QVERIFY(imported);
        const auto document = buildDocument(path, std::move(*imported));
        DeviceCapacity capacity;
        capacity.bytes = 24 * kGiB;
        const GaugeFigures shown = gaugeFigures(
            *document, *document->devices[0], capacity, peakMoment(document->devices[0]->study));
        QCOMPARE(shown.capacityText, QStringLiteral("simulated L4: 24 GiB"));
        QVERIFY(shown.tip.contains("Rehearsed on a simulated L4"));
        const GaugeFigures unknown = gaugeFigures(
            *document, *document->devices[0], std::nullopt, peakMoment(document->devices[0]->study));
        QCOMPARE(unknown.capacityText, QStringLiteral("simulated L4: 22.03 GiB"));
        QVERIFY(!documentLimits(*document).contains("rehearsed"));
    }

    void aCapacityAboveTheReservedBytesOfACutOffFileIsNotCalledTooSmall()
    {
        const std::string path = brokenPath(QStringLiteral("truncated.pickle")).toStdString();
        Result<ImportedTrace> imported = loadFile(path, {});
        QVERIFY(imported && imported->incomplete);
        const auto document = buildDocument(path, std::move(*imported));
        const DeviceAnalysis& analysis = *document->devices[0];
        const auto tipWith = [&](Bytes bytesAboveReserved) {
            DeviceCapacity capacity;
            capacity.bytes = analysis.figures.reservedPeakBytes + bytesAboveReserved;
            return gaugeFigures(*document, analysis, capacity, peakMoment(analysis.study)).tip;
        };
        QVERIFY(analysis.figures.reservedPeakBytes > kMiB);
        QVERIFY(!tipWith(kGiB).contains("less than was reserved"));
        QVERIFY(tipWith(-kMiB).contains("; at least 1 MiB less than was reserved"));
    }

    void aMessageStaysUntilItIsClosed()
    {
        MessageBar bar(MessageBar::Kind::Error);
        QVERIFY(bar.text().isEmpty() && bar.isHidden());
        bar.showMessage("a<b>.pickle", "is broken (at byte 3)");
        QCOMPARE(bar.text(), QStringLiteral("a<b>.pickle: is broken (at byte 3)"));
        QVERIFY(!bar.isHidden());
        bar.dismiss();
        QVERIFY(bar.text().isEmpty() && bar.isHidden());
    }

    void theImportLogIsListedWhole()
    {
        ImportLog log;
        QVERIFY(importLogSummary(log).isEmpty());
        log.add(Severity::Warning, "a", "first thing", Place::byte(10), 3);
        log.add(Severity::Info, "b", "second thing");
        QCOMPARE(importLogSummary(log), QStringLiteral("2 messages on this file"));
        QCOMPARE(importLogText(log), QStringLiteral("First thing.\nSecond thing."));
        ImportLogView view("x.pickle", log);
        auto* list = view.findChild<QTreeWidget*>("importLog");
        QCOMPARE(list->topLevelItemCount(), 2);
        QCOMPARE(list->topLevelItem(0)->text(1), QStringLiteral("first thing"));
        QCOMPARE(list->topLevelItem(0)->text(2), QStringLiteral("3"));
        QCOMPARE(list->topLevelItem(0)->text(3), QStringLiteral("byte 10"));
    }

    void nothingIsCutOnTheStartPageOfAHalfScreen()
    {
        const RecentFiles recent(false);
        StartPage page(recent);
        page.resize(960, 1000);
        page.show();
        const auto* code = page.findChild<QLabel*>(QStringLiteral("snippet"));
        auto* kinds = page.findChild<QTabBar*>(QStringLiteral("recordingKinds"));
        QVERIFY(code && kinds);
        for (int kind = 0; kind < kinds->count(); ++kind) {
            kinds->setCurrentIndex(kind);
            QVERIFY2(code->width() >= code->sizeHint().width(), qPrintable(code->text()));
        }
        QVERIFY(kinds->width() >= kinds->tabRect(kinds->count() - 1).right());
        for (const SampleCard* card : page.findChildren<SampleCard*>())
            QVERIFY2(card->height() >= card->heightForWidth(card->width()), qPrintable(card->text()));
    }

    void theStartPageIsInTheMiddleOfALargeWindow()
    {
        const RecentFiles recent(false);
        StartPage page(recent);
        page.resize(1920, 1400);
        page.show();
        const auto* area = page.findChild<QWidget*>(QStringLiteral("dropArea"));
        QVERIFY(area->mapTo(&page, QPoint()).y() > 200);
    }

    void samplesOfANarrowStartPageBeginAtOneHeight()
    {
        const RecentFiles recent(false);
        StartPage page(recent);
        page.resize(960, 1000);
        page.show();
        const QList<SampleCard*> cards = page.findChildren<SampleCard*>();
        for (const SampleCard* card : cards)
            QCOMPARE(card->y(), cards.front()->y());
    }

    void theStartPageListsRecentFiles()
    {
        RecentFiles recent(false);
        StartPage page(recent);
        recent.add("/runs/first.pickle");
        recent.setOutcome("/runs/first.pickle", "22.62 GiB, out of memory", true);
        QStringList texts;
        for (const QLabel* label : page.findChildren<QLabel*>())
            texts << label->text();
        QVERIFY(texts.join('\n').contains("first.pickle"));
        QVERIFY(texts.contains("22.62 GiB, out of memory"));
        QVERIFY(StartPage::recordings()[0].lines.contains("with highwater_gpu.record():"));
    }
};

HIGHWATER_APP_TEST(ViewsTest)

} // namespace highwater::gui::test

#include "views_test.moc"
