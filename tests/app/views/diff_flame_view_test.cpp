#include <QAction>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/views/compare/diff_colors.h"
#include "app/views/compare/diff_flame_view.h"
#include "app/workspace/tasks/qt_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

DiffInput atPeak(const DeviceAnalysis& analysis)
{
    return {*analysis.trace, analysis.allocations, analysis.sites, &analysis.categories,
        analysis.allocations.liveAt(analysis.curve.peak().event)};
}

std::shared_ptr<const DiffTree> treeOf(
    const DeviceAnalysis& before, const DeviceAnalysis& after, const DiffTreeOptions& options = {})
{
    return std::make_shared<const DiffTree>(
        diffTree(atPeak(before), atPeak(after), matchStacks(*before.trace, *after.trace), options));
}

/// main calls forward (6 → 3 bytes, 1 → 3 of them its own) and save (0 → 2); forward calls attend (5 → 0).
std::shared_ptr<const DiffTree> smallTree()
{
    auto diff = std::make_shared<DiffTree>();
    diff->tree.functions = {{FunctionKind::Own, "main", "/p/t.py"}, {FunctionKind::Own, "forward", "/p/m.py"},
        {FunctionKind::Own, "save", "/p/t.py"}, {FunctionKind::Own, "attend", "/p/m.py"}};
    diff->tree.nodes
        = {{FunctionId(), 0, 1, 1, {10, 3, 0}, {}}, {FunctionId(std::size_t{0}), 0, 2, 2, {10, 3, 0}, {}},
            {FunctionId(std::size_t{1}), 1, 4, 1, {8, 2, 0}, {3, 1, 0}},
            {FunctionId(std::size_t{2}), 1, 5, 0, {2, 1, 0}, {2, 1, 0}},
            {FunctionId(std::size_t{3}), 2, 5, 0, {5, 1, 0}, {5, 1, 0}}};
    diff->before.total = {{6, 2, 0}, {6, 2, 0}, {6, 2, 0}, {}, {5, 1, 0}};
    diff->before.self = {{}, {}, {1, 1, 0}, {}, {5, 1, 0}};
    diff->after.total = {{5, 2, 0}, {5, 2, 0}, {3, 1, 0}, {2, 1, 0}, {}};
    diff->after.self = {{}, {}, {3, 1, 0}, {2, 1, 0}, {}};
    diff->largestDelta = 5;
    return diff;
}

} // namespace

class DiffFlameViewTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_before = mainAnalysis(QStringLiteral("r1-grpo-before"));
        m_after = mainAnalysis(QStringLiteral("r1-grpo-after"));
    }

    void tipTellsBothSidesAndTheDifference()
    {
        const auto diff = smallTree();
        QCOMPARE(diffTip(*diff, 4),
            QStringLiteral(
                "attend (m.py)\nbefore 5 B in 1 allocation → after 0 B in 0 allocations (−5 B) · gone"));
        QVERIFY(diffTip(*diff, 3).endsWith(QStringLiteral("after 2 B in 1 allocation (+2 B) · new")));
        QVERIFY(diffTip(*diff, 1).endsWith(QStringLiteral("after 5 B in 2 allocations (−1 B)")));
        const QString forward = diffTip(*diff, 2);
        QVERIFY2(
            forward.contains(QStringLiteral("after 3 B in 1 allocation (−3 B)\n")), "with what it calls");
        QVERIFY2(forward.endsWith(QStringLiteral("after 3 B in 1 allocation (+2 B)")), "by itself");
    }

    void chartShowsTheTipsAndTotalsOfBothRuns()
    {
        DiffFlameView view;
        view.resize(600, 200);
        view.setTree(smallTree());
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto& boxes = view.chart().boxes();
        QCOMPARE(boxes.size(), std::size_t{5});
        QCOMPARE(view.chart().tip(boxes[3]), diffTip(*view.tree(), 3));
        QVERIFY(view.chart().tip(boxes[0]).startsWith(QStringLiteral("(all)\n")));
        QVERIFY(view.chart().tip(boxes[0]).endsWith(QStringLiteral("after 5 B in 2 allocations (−1 B)")));
    }

    void boxesHaveTheDifferenceOrTheBytesThatStayed()
    {
        DiffFlameView view;
        view.resize(600, 200);
        view.setTree(smallTree());
        const auto& boxes = view.chart().boxes();
        QVERIFY(view.chart().sizeOf(boxes[0]).isEmpty()); // the root has both totals in its name
        QCOMPARE(view.chart().sizeOf(boxes[1]), QStringLiteral("−1 B"));
        const auto same = treeOf(*m_before, *m_before);
        QCOMPARE(diffSize(*same, 1), bytesText(same->after.total[1].bytes));
    }

    void widthsAddUpToTheLargerSides()
    {
        DiffFlameView view;
        view.resize(900, 400);
        const auto diff = treeOf(*m_before, *m_after);
        view.setTree(diff);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        double width = 0;
        std::int64_t weight = 0;
        for (const FlameBox& box : view.chart().boxes())
            if (box.row == 1) {
                width += box.width;
                weight += box.weight;
            }
        QCOMPARE(weight, diff->tree.nodes.front().total.bytes - diff->tree.nodes.front().self.bytes);
        QVERIFY(std::abs(width - view.chart().width()) < 1);
        QVERIFY(diff->tree.nodes.front().total.bytes > m_before->figures.peakBytes);
    }

    void moreIsBrownLessIsBlueAndTheSameIsGrey()
    {
        for (const bool dark : {false, true}) {
            const std::vector<QRgb> colors = changeColors(*smallTree(), ThemeColors::of(dark));
            QCOMPARE(qAlpha(colors[0]), 0); // the root has no colour
            QVERIFY(qRed(colors[3]) > qBlue(colors[3]) + 40);
            QVERIFY(qBlue(colors[4]) > qRed(colors[4]) + 40);
            const QColor same = changeColor(0, ThemeColors::of(dark));
            QVERIFY(std::abs(same.red() - same.blue()) < 20);
            // A larger share has a stronger colour.
            QVERIFY(qBlue(colors[4]) - qRed(colors[4]) > qBlue(colors[1]) - qRed(colors[1]));
            QVERIFY(changeColor(1e-6, ThemeColors::of(dark)) != same);
        }
    }

    void anotherChoiceAsksForAnotherTree()
    {
        DiffFlameView view;
        QSignalSpy wanted(&view, &DiffFlameView::optionsChanged);
        QCOMPARE(view.options(), DiffTreeOptions());
        view.findChild<QToolButton*>(QStringLiteral("diffFlameDirection1"))->click();
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(view.options().direction, CallDirection::BottomUp);
        auto* detail = view.findChild<QComboBox*>(QStringLiteral("diffFlameDetail"));
        detail->setCurrentIndex(detail->findData(static_cast<int>(FrameDetail::Own)));
        QCOMPARE(wanted.size(), 2);
        QCOMPARE(view.options(), (DiffTreeOptions{CallDirection::BottomUp, FrameDetail::Own}));
    }

    void clickZoomsInAndEscapeGoesBack()
    {
        DiffFlameView view;
        view.resize(900, 400);
        view.setTree(smallTree());
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const FlameBox forward = view.chart().boxes()[2];
        QTest::mouseClick(&view.chart(), Qt::LeftButton, {}, view.chart().rectOf(forward).center().toPoint());
        QCOMPARE(view.chart().focusNode(), 2u);
        QTest::keyClick(&view.chart(), Qt::Key_Escape);
        QCOMPARE(view.chart().focusNode(), CallTree::kRoot);
    }

    void escapeIsTheWindowsOnlyWhenThereIsNothingToGoBackFrom()
    {
        QWidget window;
        QAction release(&window);
        release.setShortcut(Qt::Key_Escape);
        window.addAction(&release);
        QSignalSpy released(&release, &QAction::triggered);
        auto* const view = new DiffFlameView(&window);
        view->resize(900, 400);
        view->setTree(smallTree());
        window.resize(900, 400);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        FlameChart& chart = view->chart();
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.rectOf(chart.boxes()[2]).center().toPoint());
        QTest::keyClick(&chart, Qt::Key_Escape);
        QCOMPARE(chart.focusNode(), CallTree::kRoot);
        QCOMPARE(released.count(), 0);
        QTest::keyClick(&chart, Qt::Key_Escape);
        QCOMPARE(released.count(), 1);
    }

    void zoomIsKeptByTheNextTree()
    {
        DiffFlameView view;
        view.resize(900, 400);
        view.setTree(treeOf(*m_before, *m_after));
        const std::uint32_t node = view.tree()->tree.nodes[1].firstChild;
        view.chart().setFocusNode(node);
        const std::string label = view.tree()->tree.label(node);
        view.setTree(treeOf(*m_after, *m_before));
        QCOMPARE(view.tree()->tree.label(view.chart().focusNode()), label);
    }

    void withoutATreeThereIsNothing()
    {
        DiffFlameView view;
        view.resize(600, 200);
        view.setTree(smallTree());
        view.setTree(nullptr);
        view.setColors(ThemeColors::darkColors());
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QVERIFY(view.chart().boxes().empty());
        QTest::keyClick(&view.chart(), Qt::Key_Escape);
        QTest::keyClick(&view.chart(), Qt::Key_Down);
    }

private:
    std::shared_ptr<const DeviceAnalysis> m_before;
    std::shared_ptr<const DeviceAnalysis> m_after;
};

HIGHWATER_APP_TEST(DiffFlameViewTest)

} // namespace highwater::gui::test

#include "diff_flame_view_test.moc"
