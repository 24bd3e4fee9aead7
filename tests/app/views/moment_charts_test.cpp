#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QTableView>
#include <QTest>
#include <QTreeView>

#include "app/models/call_tree_model.h"
#include "app/models/cell_data.h"
#include "app/views/charts/node_groups.h"
#include "app/views/moment/moment_chart_pages.h"
#include "app/views/moment/moment_modules_page.h"
#include "app/views/moment/moment_table_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/stacks/call_tree_builder.h"
#include "core/study/outcome/key_moment.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/painted_texts.h"
#include "tests/app/views/composition_scene.h"

namespace highwater::gui::test {

namespace {

/// Returns the texts that a chart paints at the moment.
QStringList paintedTexts(QWidget& chart)
{
    PaintedTexts texts;
    chart.grab();
    return texts.all;
}

bool anyContains(const QStringList& texts, const char* part)
{
    return !texts.filter(QString::fromUtf8(part)).isEmpty();
}

const FlameBox* firstFolded(const FlameChart& chart)
{
    const auto found = std::ranges::find_if(chart.boxes(), &FlameBox::isFolded);
    return found == chart.boxes().end() ? nullptr : &*found;
}

int columnOf(const QAbstractItemModel& model, const char* title)
{
    for (int column = 0; column < model.columnCount(); ++column)
        if (model.headerData(column, Qt::Horizontal).toString() == QString::fromUtf8(title))
            return column;
    return -1;
}

void clickTitle(QTreeView& view, int column)
{
    const int x = view.header()->sectionViewportPosition(column) + 20;
    QTest::mouseClick(view.header()->viewport(), Qt::LeftButton, {}, QPoint(x, 8));
}

QStringList topLevelNames(const QAbstractItemModel& model, int column = 0)
{
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names << model.index(row, column).data().toString();
    return names;
}

} // namespace

class MomentChartsTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_r1 = mainAnalysis("r1-grpo-before"); }

    void flameFramesHaveTheirLineAndTheirBytes()
    {
        CompositionScene scene(m_r1);
        FlameChart& chart = scene.show<MomentFlamePage>(CompositionView::Way::Flame).chart();
        const QStringList texts = paintedTexts(chart);
        QVERIFY2(!texts.filter(QRegularExpression("^forward \\(model\\.py:\\d+\\)  .* [GM]iB$")).isEmpty(),
            qPrintable(texts.join('\n')));
    }

    void flameLabelsAreCutOnceAndNotAtTheStartOfAName()
    {
        CompositionScene scene(m_r1);
        FlameChart& chart = scene.show<MomentFlamePage>(CompositionView::Way::Flame).chart();
        for (const int width : {900, 620, 430, 280}) {
            scene.view.resize(width, 400);
            scene.settle();
            for (const QString& text : paintedTexts(chart)) {
                QVERIFY2(text.count(QChar(0x2026)) <= 1, qPrintable(text));
                QVERIFY2(!text.contains(QRegularExpression(QStringLiteral("^…\\S"))), qPrintable(text));
            }
        }
    }

    void framesThatMakeASingleCallAreOneRowAndAClickUnfoldsThem()
    {
        CompositionScene scene(m_r1);
        FlameChart& chart = scene.show<MomentFlamePage>(CompositionView::Way::Flame).chart();
        const FlameBox* folded = firstFolded(chart);
        QVERIFY(folded);
        const std::vector<std::uint32_t> frames = framesOf(*chart.tree(), *folded);
        const QString tip = chart.tip(*folded);
        for (const std::uint32_t frame : frames)
            QVERIFY2(tip.contains(QString::fromStdString(chart.tree()->label(frame))), qPrintable(tip));
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.rectOf(*folded).center().toPoint());
        for (const std::uint32_t frame : frames)
            QVERIFY(std::ranges::count(chart.boxes(), frame, &FlameBox::innermost) == 1);
    }

    void theKeptPartOfABarInTheTableHasTheColourOfItsBandAlsoIfOnlyTheRestIsAGuess()
    {
        CompositionScene scene(m_r1);
        QTableView& table = scene.show<MomentTablePage>(CompositionView::Way::Table).table();
        const QString name = QStringLiteral("forward (model.py:97)");
        const QModelIndexList found = table.model()->match(
            table.model()->index(0, NameColumn), Qt::DisplayRole, name, 1, Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        const QModelIndex share = found[0].siblingAtColumn(ShareColumn);
        table.scrollTo(share);
        AllocationIndex kept = Selection::kNone; // the largest one
        const AllocationTable& allocations = m_r1->allocations;
        for (AllocationIndex i = 0; i < allocations.size(); ++i)
            if (m_r1->keptBlocks->keptSince(i) != KeptBlocks::kNever
                && toQString(m_r1->sites.site(m_r1->sites.of(i)).label) == name
                && (kept == Selection::kNone || allocations.bytes(i) > allocations.bytes(kept)))
                kept = i;
        QVERIFY(kept != Selection::kNone);
        const BandPalette& palette = *scene.bands.palette();
        QVERIFY(palette.themedShade(kept, true).light != keptColor(palette.themedShade(kept)).light);
        const QImage row = table.viewport()->grab(table.visualRect(share)).toImage();
        int pixels = 0;
        for (int x = 0; x < row.width(); ++x)
            pixels += row.pixel(x, row.height() / 2) == palette.shade(kept, {}, true);
        QVERIFY(pixels > 0);
    }

    void flameAndTreemapHaveTheColoursOfTheTimeline()
    {
        CompositionScene scene(m_r1);
        TreemapChart& chart = scene.show<MomentTreemapPage>(CompositionView::Way::Treemap).chart();
        const BandPalette& palette = *scene.bands.palette();
        for (const TreemapContent::Group& group : chart.content()->groups)
            for (const TreemapContent::Site& site : group.sites) {
                const AllocationIndex first = site.allocations.front();
                QCOMPARE(site.name.color.light, palette.shade(first, {}, site.isKept) & 0xffffff);
                QCOMPARE(site.name.color.dark, palette.shade(first, {.dark = true}, site.isKept) & 0xffffff);
                QCOMPARE(site.name.colorFor(ThemeColors::highContrast(false)).rgb(),
                    palette.shade(first, {.contrast = true}, site.isKept));
            }
    }

    void aFlameFrameHasTheColourOfAGroupThatHoldsNearlyAllOfIt()
    {
        const LiveSet set = liveSet(m_r1->live, LiveSetSpec::aliveAt(m_r1->figures.peakEvent));
        const CallTree tree = callTree(
            *m_r1->trace, m_r1->allocations, m_r1->sites, set, CallDirection::TopDown, FrameDetail::Python);
        const BandGroups& groups = *m_r1->categoryGroups;
        const auto main = mainGroups(tree, groups, m_r1->allocations, set);
        std::vector<std::map<GroupRank, Bytes>> sums(tree.nodes.size());
        for (std::size_t i = 0; i < set.allocations.size(); ++i)
            for (std::uint32_t node = tree.endOf[i];; node = tree.nodes[node].parent) {
                sums[node][groups.rank(set.allocations[i])] += m_r1->allocations.bytes(set.allocations[i]);
                if (node == CallTree::kRoot)
                    break;
            }
        for (std::size_t node = 0; node < sums.size(); ++node) {
            Bytes all = 0;
            Bytes most = 0;
            for (const auto& [group, bytes] : sums[node]) {
                all += bytes;
                most = std::max(most, bytes);
            }
            QCOMPARE(main[node].has_value(), most > 0 && all - most <= all / 5);
            if (main[node])
                QCOMPARE(sums[node][*main[node]], most);
        }
        QVERIFY(!main[CallTree::kRoot]); // 70% are activations
    }

    void theTreemapHatchesWhatIsKeptFromEarlierSteps()
    {
        CompositionScene scene(m_r1);
        const TreemapChart& chart = scene.show<MomentTreemapPage>(CompositionView::Way::Treemap).chart();
        const std::int64_t shown = keyMoment(m_r1->study).event;
        Bytes kept = 0;
        for (const TreemapContent::Group& group : chart.content()->groups)
            for (const TreemapContent::Site& site : group.sites)
                for (const AllocationIndex i : site.allocations) {
                    QCOMPARE(m_r1->keptBlocks->isKept(i, shown), site.isKept);
                    kept += site.isKept ? m_r1->allocations.bytes(i) : 0;
                }
        QVERIFY(kept > 0);
    }

    void inHighContrastAFlameBoxOfSeveralGroupsIsNotAsBlackAsABorder()
    {
        CompositionScene scene(mainAnalysis("training-6-steps-annotated"));
        const ThemeColors colors = ThemeColors::highContrast(false);
        scene.view.setColors(colors);
        FlameChart& chart = scene.show<MomentFlamePage>(CompositionView::Way::Flame).chart();
        const QRect whole = chart.rectOf(chart.boxes().front()).toRect();
        QCOMPARE(
            chart.grab().toImage().pixelColor(whole.right() - 3, whole.center().y()), colors.plainFill());
    }

    void aFlameBoxSaysHowMuchOfItIsKept()
    {
        CompositionScene scene(m_r1);
        FlameChart& chart = scene.show<MomentFlamePage>(CompositionView::Way::Flame).chart();
        const QString tip = chart.tip(chart.boxes().front());
        QVERIFY2(tip.contains("GiB of it kept from earlier steps"), qPrintable(tip));
    }

    void treemapTilesAreCallSitesWithPlaceAndBytes()
    {
        CompositionScene scene(m_r1);
        TreemapChart& chart = scene.show<MomentTreemapPage>(CompositionView::Way::Treemap).chart();
        QVERIFY(chart.layoutShown().tiles.size() < 200);
        const QStringList texts = paintedTexts(chart);
        QVERIFY2(anyContains(texts, "model.py:39"), qPrintable(texts.join('\n')));
        const TreemapContent::Site& site = chart.content()->groups.front().sites.front();
        QVERIFY(site.name.title.contains(".py:"));
        const QString bytes = bytesText(chart.content()->sizes.front().parts.front());
        QVERIFY2(anyContains(texts, qPrintable(bytes)), qPrintable(texts.join('\n')));
    }

    void enterZoomsIntoAGroupOfTheTreemapAndBackOut()
    {
        CompositionScene scene(m_r1);
        TreemapChart& chart = scene.show<MomentTreemapPage>(CompositionView::Way::Treemap).chart();
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(chart.focusGroup(), 0u);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(chart.focusGroup(), TreemapChart::kNoGroup);
    }

    void likeModulesAreOneRowThatHighlightsThemAll()
    {
        CompositionScene scene(m_r1);
        QTreeView& view = scene.show<MomentModulesPage>(CompositionView::Way::Modules).view();
        const QModelIndex layers = view.model()->index(0, 0, view.model()->index(0, 0));
        QVERIFY2(layers.data().toString().startsWith(QStringLiteral("12 × forward (model.py:")),
            qPrintable(layers.data().toString()));
        QCOMPARE(view.model()->rowCount(layers), 12);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(layers).center());
        QVERIFY2(scene.bands.highlightName().endsWith(layers.data().toString()),
            qPrintable(scene.bands.highlightName()));
        QVERIFY(scene.bands.highlightName().contains(QStringLiteral("from trainer.py:186")));
        const QVariant bytes = layers.siblingAtColumn(columnOf(*view.model(), "Bytes")).data(kExactRole);
        QCOMPARE(scene.highlightedBytes(), bytes.toLongLong());
    }

    void theModulesPageSaysThatTheFileHasNoModuleNames()
    {
        CompositionScene scene(m_r1);
        auto& page = scene.show<MomentModulesPage>(CompositionView::Way::Modules);
        const auto* caption = page.findChild<QLabel*>(QStringLiteral("momentModulesCaption"));
        QVERIFY(caption && caption->isVisible());
        QVERIFY2(
            caption->text().contains(QStringLiteral("holds no module names")), qPrintable(caption->text()));
        QVERIFY(caption->text().contains(QStringLiteral(" Most activations (")));
    }

    void aClickOnATitleSortsAllRowsAboveTheTotal()
    {
        CompositionScene scene(m_r1);
        QTreeView& view = scene.show<MomentModulesPage>(CompositionView::Way::Modules).view();
        const int column = columnOf(*view.model(), "Bytes");
        const auto bytesOfRows = [&] {
            std::vector<qlonglong> bytes;
            for (int row = 0; row + 1 < view.model()->rowCount(); ++row)
                bytes.push_back(view.model()->index(row, column).data(kExactRole).toLongLong());
            return bytes;
        };
        clickTitle(view, column);
        QVERIFY(bytesOfRows().size() > 1);
        QVERIFY(std::ranges::is_sorted(bytesOfRows(), std::ranges::greater()));
        clickTitle(view, column);
        QVERIFY(std::ranges::is_sorted(bytesOfRows()));
    }

    void modulesFoldAndUnfold()
    {
        CompositionScene scene(m_r1);
        QTreeView& view = scene.show<MomentModulesPage>(CompositionView::Way::Modules).view();
        const QModelIndex model = view.model()->index(0, 0);
        QVERIFY(view.isExpanded(model));
        view.setCurrentIndex(model);
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(!view.isExpanded(model));
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(view.isExpanded(model));
    }

    void aClickOnAColumnSortsTheModules()
    {
        CompositionScene scene(m_r1);
        QTreeView& view = scene.show<MomentModulesPage>(CompositionView::Way::Modules).view();
        const int column = columnOf(*view.model(), "Bytes");
        const QStringList before = topLevelNames(*view.model(), column);
        clickTitle(view, column);
        clickTitle(view, column);
        const QStringList after = topLevelNames(*view.model(), column);
        QVERIFY(before != after);
        QCOMPARE(after.back(), before.back()); // the total
    }

private:
    std::shared_ptr<const DeviceAnalysis> m_r1;
};

HIGHWATER_APP_TEST(MomentChartsTest)

} // namespace highwater::gui::test

#include "moment_charts_test.moc"
