#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "app/loading/load_file.h"
#include "app/views/moment/composition_view.h"
#include "app/views/moment/moment_callers_page.h"
#include "app/views/moment/moment_chart_pages.h"
#include "app/views/moment/moment_modules_page.h"
#include "app/views/moment/moment_table_page.h"
#include "app/views/moment/moment_tree_page.h"
#include "app/views/parts/elided_label.h"
#include "app/workspace/tasks/qt_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/views/composition_scene.h"

namespace highwater::gui::test {

namespace {

QPoint middleOf(const QRectF& rect)
{
    return rect.center().toPoint();
}

} // namespace

class CompositionViewTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_training = mainAnalysis("training-6-steps-annotated"); }

    void beginsWithThePeak()
    {
        const CompositionScene scene(m_training);
        QVERIFY2(scene.view.heading().startsWith("After event "), qPrintable(scene.view.heading()));
        QVERIFY(scene.view.heading().contains(", the peak: 384.91 MiB in "));
    }

    void followsTheCursorAndNamesWhatItShowsWithoutOne()
    {
        CompositionScene scene(m_training);
        const auto* at = scene.view.findChild<QComboBox*>(QStringLiteral("momentChoice"));
        QCOMPARE(at->currentText(), QStringLiteral("At the peak"));
        scene.selection.setCursor(100);
        QTRY_VERIFY(scene.view.heading().startsWith("After event 100: "));
        QCOMPARE(at->currentText(), QStringLiteral("At: Cursor"));
        scene.selection.setCursor(std::nullopt);
        QTRY_VERIFY(scene.view.heading().contains(", the peak: "));
        QCOMPARE(at->currentText(), QStringLiteral("At the peak"));
    }

    void theBarsHaveTheWidthThatIsLeftAndNothingScrollsSideways()
    {
        CompositionScene scene(m_training);
        const QTableView& table = scene.show<MomentTablePage>(CompositionView::Way::Table).table();
        for (const int width : {1000, 2000}) {
            scene.view.resize(width, 400);
            const auto right = [&] {
                const int last = table.model()->columnCount() - 1;
                return table.columnViewportPosition(last) + table.columnWidth(last);
            };
            QTRY_COMPARE(right(), table.viewport()->width());
        }
    }

    void namesOfAWideTableAreWhole()
    {
        CompositionScene scene(m_training);
        const QTableView& table = scene.show<MomentTablePage>(CompositionView::Way::Table).table();
        const int before = table.columnWidth(0);
        scene.view.resize(2000, 400);
        QTRY_VERIFY(table.viewport()->width() > 1500);
        int longest = 0;
        for (int row = 0; row < table.model()->rowCount(); ++row)
            longest = std::max(longest,
                table.fontMetrics().horizontalAdvance(table.model()->index(row, 0).data().toString()));
        QVERIFY(table.columnWidth(0) >= std::min(before, longest));
        QVERIFY(table.columnWidth(0) < std::max(longest, 120) + 60);
    }

    void anotherFileBeginsAtItsOwnMoment()
    {
        CompositionScene scene(m_training);
        scene.selection.setRange(Selection::EventRange(651, 1210));
        scene.choose(MomentChoice::Survived);
        scene.selection.clear();
        scene.view.showDevice(mainAnalysis("r1-grpo-before"));
        scene.settle();
        QVERIFY2(scene.view.heading().contains(", out of memory: "), qPrintable(scene.view.heading()));
        const auto* at = scene.view.findChild<QComboBox*>(QStringLiteral("momentChoice"));
        QCOMPARE(at->currentText(), QStringLiteral("When memory ran out"));
    }

    void offersThePeakOnce()
    {
        CompositionScene scene(m_training);
        const auto* at = scene.view.findChild<QComboBox*>(QStringLiteral("momentChoice"));
        const auto* rows = qobject_cast<const QListView*>(at->view());
        constexpr int peak = static_cast<int>(MomentChoice::Peak);
        QCOMPARE(at->currentText(), QStringLiteral("At the peak"));
        QVERIFY(rows->isRowHidden(peak));
        scene.selection.setCursor(100);
        QTRY_VERIFY(!rows->isRowHidden(peak));
    }

    void showsOnlyTheChosenCategoryInEveryForm()
    {
        CompositionScene scene(m_training);
        auto* categories = scene.view.findChild<QComboBox*>(QStringLiteral("momentCategory"));
        categories->setCurrentIndex(categories->findText(QStringLiteral("Only activations")));
        scene.settle();
        Bytes bytes = 0;
        for (const AllocationIndex i : m_training->allocations.liveAt(m_training->figures.peakEvent))
            if (m_training->categories.of(i) == Category::Activation)
                bytes += m_training->allocations.bytes(i);
        QVERIFY(bytes > 0);
        QTRY_VERIFY2(scene.view.heading().contains("only activations: " + bytesText(bytes)),
            qPrintable(scene.view.heading()));
        auto& modules = scene.show<MomentModulesPage>(CompositionView::Way::Modules);
        const QString text = modules.text(false);
        QVERIFY2(text.contains("activations", Qt::CaseInsensitive)
                && !text.contains("parameters", Qt::CaseInsensitive),
            qPrintable(text));
        categories->setCurrentIndex(0);
        QTRY_VERIFY(!scene.view.heading().contains("only"));
    }

    void byModuleIsTheTreeOfModules()
    {
        CompositionScene scene(m_training);
        auto* group = scene.view.findChild<QComboBox*>(QStringLiteral("momentGroup"));
        group->setCurrentIndex(group->findText(QStringLiteral("By module")));
        emit group->activated(group->currentIndex());
        scene.settle();
        QCOMPARE(scene.view.way(), CompositionView::Way::Modules);
        QVERIFY(group->isVisible());
        group->setCurrentIndex(group->findText(QStringLiteral("By file")));
        emit group->activated(group->currentIndex());
        QCOMPARE(scene.view.way(), CompositionView::Way::Table);
        QCOMPARE(scene.view.options().group, GroupKey::File);
    }

    void noFormMovesTheListsOfAllForms()
    {
        CompositionScene scene(m_training);
        const auto places = [&scene] {
            QList<QRect> all;
            for (const char* name : {"momentChoice", "momentWay", "momentCategory"})
                all << scene.view.findChild<QComboBox*>(QString::fromLatin1(name))->geometry();
            return all;
        };
        const QList<QRect> before = places();
        for (int way = 0; way < CompositionView::kWayCount; ++way) {
            scene.view.setWay(static_cast<CompositionView::Way>(way));
            scene.settle();
            QTRY_COMPARE(places(), before);
        }
    }

    void theTitleIsWholeAt960()
    {
        CompositionScene scene(mainAnalysis("r1-grpo-before"));
        scene.view.resize(698, 160);
        const auto* title = scene.view.findChild<ElidedLabel*>(QStringLiteral("momentHeading"));
        QCOMPARE(title->shown(), scene.view.heading());
    }

    void setsOfARangeAgreeWithItsFigures()
    {
        CompositionScene scene(m_training);
        scene.selection.setRange(Selection::EventRange(651, 1210));
        const std::string& step = m_training->steps.steps[*m_training->steps.stepOf(651)].name;
        scene.choose(MomentChoice::Born);
        QCOMPARE(scene.view.heading(),
            toQString("Allocated in " + step + ", events 651 – 1,209: 576.61 MiB in 186 allocations"));
        const auto says = [&](const std::string& set, const char* figures) {
            const QString heading = scene.view.heading();
            return heading.startsWith(toQString(set)) && heading.endsWith(QLatin1String(figures));
        };
        scene.choose(MomentChoice::Freed);
        QTRY_VERIFY(says("Freed in " + step + ", events 651 – 1,209", "576.61 MiB in 186 allocations"));
        scene.choose(MomentChoice::Survived);
        QTRY_VERIFY2(
            says("Left behind by " + step + ", ", "0 B in 0 allocations"), qPrintable(scene.view.heading()));
    }

    void theRangeStaysWhenTheViewMovesAndTheMarkEnds()
    {
        CompositionScene scene(m_training);
        scene.selection.setRange(Selection::EventRange(40, 90));
        scene.choose(MomentChoice::Survived);
        const QString heading = scene.view.heading();
        QVERIFY2(heading.startsWith("Allocated in events 40 – 89 and in use after it"), qPrintable(heading));
        scene.selection.setView(Selection::EventRange(100, 200));
        scene.selection.setRange(std::nullopt);
        scene.settle();
        QCOMPARE(scene.view.heading(), heading);
        scene.selection.setRange(Selection::EventRange(50, 80));
        QTRY_VERIFY(scene.view.heading().startsWith("Allocated in events 50 – 79 "));
    }

    void withoutAMarkTheRangeIsWhatWasInViewAtTheChoice()
    {
        CompositionScene scene(m_training);
        scene.selection.setView(Selection::EventRange(100, 200));
        scene.choose(MomentChoice::Born);
        QTRY_VERIFY(scene.view.heading().startsWith("Allocated in events 100 – 199: "));
        scene.selection.setView(Selection::EventRange(300, 400));
        scene.settle();
        QVERIFY(scene.view.heading().startsWith("Allocated in events 100 – 199: "));
        scene.view.choose(MomentChoice::Born);
        QTRY_VERIFY(scene.view.heading().startsWith("Allocated in events 300 – 399: "));
    }

    void severalStepsAreNamed()
    {
        CompositionScene scene(m_training);
        const std::vector<Step>& steps = m_training->steps.steps;
        scene.selection.setRange(Selection::EventRange(steps[1].begin, steps[3].end));
        scene.choose(MomentChoice::Born);
        QTRY_VERIFY2(scene.view.heading().startsWith(
                         toQString("Allocated in " + steps[1].name + " to " + steps[3].name + ", events ")),
            qPrintable(scene.view.heading()));
    }

    void withoutARangeItIsTheWholeTrace()
    {
        CompositionScene scene(m_training);
        scene.choose(MomentChoice::Born);
        QTRY_VERIFY(scene.view.heading().startsWith("Allocated in the whole trace: "));
    }

    void aClickOnARowHighlightsItsAllocationsAndTheRowIsSelectedAsLong()
    {
        CompositionScene scene(m_training);
        auto& page = scene.show<MomentTablePage>(CompositionView::Way::Table);
        QTableView& table = page.table();
        QTest::mouseClick(
            table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(0, 0)).center());
        QVERIFY(scene.highlightedBytes() > 0);
        QVERIFY(scene.highlightedBytes() < m_training->figures.peakBytes);
        QVERIFY(table.selectionModel()->hasSelection());
        scene.bands.setHighlighted(nullptr);
        QVERIFY(!table.selectionModel()->hasSelection());
    }

    void aDoubleClickOnARowAsksForItsLargestAllocation()
    {
        CompositionScene scene(m_training);
        auto& page = scene.show<MomentTablePage>(CompositionView::Way::Table);
        QSignalSpy asked(&scene.view, &CompositionView::allocationPinned);
        const QPoint at = page.table().visualRect(page.table().model()->index(0, 0)).center();
        QTest::mouseClick(page.table().viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(page.table().viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(asked.count(), 1);
    }

    void enterOpensTheHeaviestPathAndClosesIt()
    {
        CompositionScene scene(m_training);
        auto& page = scene.show<MomentTreePage>(CompositionView::Way::TopDown);
        QTreeView& tree = page.tree();
        tree.collapseAll();
        tree.setCurrentIndex(tree.model()->index(0, 0));
        QTest::keyClick(&tree, Qt::Key_Return);
        QVERIFY(tree.isExpanded(tree.model()->index(0, 0)));
        QTest::keyClick(&tree, Qt::Key_Return);
        QVERIFY(!tree.isExpanded(tree.model()->index(0, 0)));
    }

    void aTreeNamesTheLineOfEachCall()
    {
        CompositionScene scene(m_training);
        const QAbstractItemModel& rows
            = *scene.show<MomentTreePage>(CompositionView::Way::BottomUp).tree().model();
        const QRegularExpression place(QStringLiteral(R"(\(\w+\.py:\d+\)$)"));
        int places = 0;
        for (int row = 0; row < rows.rowCount(); ++row)
            places += rows.index(row, 0).data().toString().contains(place) ? 1 : 0;
        QVERIFY(places > 0);
    }

    void searchAnswersWithWhatMatches()
    {
        CompositionScene scene(m_training);
        scene.show<MomentTreePage>(CompositionView::Way::BottomUp);
        auto* field = scene.view.findChild<QLineEdit*>("momentSearch");
        QTest::keyClicks(field, "backward");
        scene.settle();
        QVERIFY2(scene.view.answer().startsWith("Found "), qPrintable(scene.view.answer()));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(field->text().isEmpty());
    }

    void copyTakesHeadingAndRows()
    {
        CompositionScene scene(m_training);
        auto& page = scene.show<MomentTablePage>(CompositionView::Way::Table);
        page.table().selectRow(0);
        QTest::keySequence(&page.table(), QKeySequence::Copy);
        const QStringList lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[0], scene.view.heading());
        QVERIFY(lines[2].contains("\t"));
    }

    void callersAndCalleesOfAFunctionAreTablesToFollow()
    {
        CompositionScene scene(m_training);
        auto& page = scene.show<MomentCallersPage>(CompositionView::Way::Callers);
        const QModelIndex first = page.functionView().model()->index(0, 0);
        QCOMPARE(page.functionView().currentIndex().row(), 0);
        QVERIFY(!scene.bands.highlighted());
        QVERIFY(page.calleeView().model()->rowCount() > 0);
        page.calleeView().setCurrentIndex(page.calleeView().model()->index(0, 0));
        QTest::keyClick(&page.calleeView(), Qt::Key_Return);
        QVERIFY(page.functionView().currentIndex().row() != first.row());
        QVERIFY(scene.highlightedBytes() > 0);
        QTest::keyClick(&page.functionView(), Qt::Key_Escape);
        QCOMPARE(page.functionView().currentIndex().row(), first.row());
    }

    void aClickInTheFlameGraphZoomsAndEscapeGoesBack()
    {
        CompositionScene scene(m_training);
        FlameChart& chart = scene.show<MomentFlamePage>(CompositionView::Way::Flame).chart();
        const FlameBox* narrow = nullptr;
        for (const FlameBox& box : chart.boxes())
            if (!narrow && !box.isMerged() && box.width > 30 && box.width < chart.width() / 2)
                narrow = &box;
        QVERIFY(narrow);
        const std::uint32_t node = narrow->node;
        QTest::mouseClick(&chart, Qt::LeftButton, {}, middleOf(chart.rectOf(*narrow)));
        QCOMPARE(chart.focusNode(), node);
        QCOMPARE(scene.highlightedBytes(), chart.tree()->nodes[node].total.bytes);
        while (chart.focusNode() != CallTree::kRoot)
            QTest::keyClick(&chart, Qt::Key_Escape);
        QCOMPARE(chart.boxes().front().weight, m_training->figures.peakBytes);
    }

    void theFlameGraphWeighsByLifetimeToo()
    {
        CompositionScene scene(m_training);
        FlameChart& chart = scene.show<MomentFlamePage>(CompositionView::Way::Flame).chart();
        auto* weight = scene.view.findChild<QComboBox*>("momentWeight");
        QVERIFY(weight->isVisible());
        weight->setCurrentIndex(1);
        scene.settle();
        QCOMPARE(chart.boxes().front().weight, chart.tree()->nodes.front().total.byteEvents);
    }

    void theTreemapHoldsEveryAllocationAndHighlightsThem()
    {
        CompositionScene scene(m_training);
        TreemapChart& chart = scene.show<MomentTreemapPage>(CompositionView::Way::Treemap).chart();
        Bytes sum = 0;
        for (const TreemapTile& tile : chart.layoutShown().tiles)
            sum += tile.bytes;
        QCOMPARE(sum, m_training->figures.peakBytes);
        const TreemapTile& first = chart.layoutShown().tiles.front();
        const Rectangle& place = first.place;
        const Bytes bytes = first.bytes;
        QTest::mouseClick(
            &chart, Qt::LeftButton, {}, middleOf(QRectF(place.x, place.y, place.width, place.height)));
        QCOMPARE(scene.highlightedBytes(), bytes);
    }

    void histogramsSumToTheSet()
    {
        CompositionScene scene(m_training);
        for (const auto way : {CompositionView::Way::Sizes, CompositionView::Way::Lifetimes}) {
            HistogramChart& chart = scene.show<MomentHistogramPage>(way).chart();
            Bytes sum = 0;
            for (const HistogramBin& bin : chart.histogram()->bins)
                sum += bin.total.bytes;
            QCOMPARE(sum, m_training->figures.peakBytes);
            QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.rectOf(0).center().toPoint());
            QCOMPARE(scene.highlightedBytes(), chart.histogram()->bins[0].total.bytes);
        }
    }

    void whatWasChosenStandsOutWhileItIsHiddenToo()
    {
        CompositionScene scene(m_training);
        auto& page = scene.show<MomentTablePage>(CompositionView::Way::Table);
        page.table().selectRow(0);
        QVERIFY(scene.bands.highlighted());
        scene.view.hide();
        QVERIFY(scene.bands.highlighted());
    }

    void groupsByCategoryWhereNothingTellsCallSitesApart()
    {
        const std::string path = HIGHWATER_SOURCE_DIR "/samples/memory-timeline/tiny-rows.raw.json";
        const auto document = buildDocument(path, *loadFile(path, {}));
        CompositionScene scene(m_training);
        auto* group = scene.view.findChild<QComboBox*>(QStringLiteral("momentGroup"));
        QCOMPARE(group->currentData().toInt(), static_cast<int>(GroupKey::Site));
        scene.view.showDevice(document->devices.front());
        QCOMPARE(group->currentData().toInt(), static_cast<int>(GroupKey::Category));
        scene.view.showDevice(m_training);
        QCOMPARE(group->currentData().toInt(), static_cast<int>(GroupKey::Site));
    }

    void showsAFileWithoutStacksAndNoDevice()
    {
        CompositionScene scene(mainAnalysis("tiny-hand-checked"));
        for (int way = 0; way < CompositionView::kWayCount; ++way)
            scene.show<MomentPage>(static_cast<CompositionView::Way>(way));
        scene.view.showDevice(nullptr);
        QVERIFY(scene.view.heading().isEmpty());
        QVERIFY(scene.view.grab().width() > 0);
    }

private:
    std::shared_ptr<const DeviceAnalysis> m_training;
};

HIGHWATER_APP_TEST(CompositionViewTest)

} // namespace highwater::gui::test

#include "composition_view_test.moc"
