#include <QAbstractItemModelTester>
#include <QTest>

#include "app/models/call_tree_model.h"
#include "app/models/function_matches.h"
#include "app/models/table_model.h"
#include "app/models/table_tree_model.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/stacks/call_tree_builder.h"
#include "core/analysis/usage/live_sets.h"
#include "core/table/figure_table.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::QtTest;

/// Returns the texts of a column below a row.
QStringList column(const QAbstractItemModel& model, int which, const QModelIndex& parent = {})
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(parent); ++row)
        texts << model.index(row, which, parent).data().toString();
    return texts;
}

std::shared_ptr<FigureTable> threeRows()
{
    auto table = std::make_shared<FigureTable>();
    table->rows = {{"main (a.py:1)\nrun (b.py:2)", 3 << 20, 2, 1 << 20, "/x/a.py", 7},
        {"Beta", 1 << 20, 9, 0, "/x/b.py", 8}, {"alpha", 1 << 10, 1, 0, "/y/c.py", 9}};
    table->whole = 4 << 20;
    return table;
}

/// Two modules with layers, and a total.
Table modulesTable()
{
    const auto row = [](const char* name, Bytes bytes) {
        return TableRow{Cell(name), Cell(Amount{bytes, AmountKind::ByteCount})};
    };
    return {"modules", {}, {{"Module", "module"}, {"Bytes", "bytes", true}},
        {row("model", 30), row("layer[0]", 20), row("norm", 5), row("layer[1]", 10), row("head", 40)},
        row("total", 70)};
}

} // namespace

class FigureModelsTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_analysis = mainAnalysis("training-6-steps-annotated");
        m_set = liveSet(m_analysis->live, LiveSetSpec::aliveAt(m_analysis->figures.peakEvent));
    }

    void aTreeOfATableKeepsTheRulesOfItemModels()
    {
        TableTreeModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setTable(modulesTable(), {0, 1, 2, 1, 0});
        model.sort(1, Qt::AscendingOrder);
        model.setFilter("norm");
        model.sort(0, Qt::DescendingOrder);
        model.setTable({}, {});
    }

    void aTreeOfATableSortsSiblingsAboveTheTotal()
    {
        TableTreeModel model;
        model.setTable(modulesTable(), {0, 1, 2, 1, 0});
        QCOMPARE(column(model, 0), QStringList({"model", "head", "total"}));
        model.sort(1, Qt::DescendingOrder);
        QCOMPARE(column(model, 0), QStringList({"head", "model", "total"}));
        QCOMPARE(column(model, 0, model.index(1, 0)), QStringList({"layer[0]", "layer[1]"}));
        model.sort(1, Qt::AscendingOrder);
        QCOMPARE(column(model, 0, model.index(0, 0)), QStringList({"layer[1]", "layer[0]"}));
    }

    void aTreeOfATableAnnouncesNewColorsOnEveryLevel()
    {
        TableTreeModel model;
        model.setTable(modulesTable(), {0, 1, 2, 1, 0});
        QStringList parents;
        connect(&model, &QAbstractItemModel::dataChanged, this,
            [&parents](const QModelIndex& first) { parents << first.parent().data().toString(); });
        model.setColors(ThemeColors::darkColors());
        QCOMPARE(parents, QStringList({QString(), "model", "layer[0]"}));
    }

    void theFirstOrderOfBytesAndCountsIsDescending()
    {
        const auto order
            = [](const TableColumn& of) { return titleData(of, Qt::InitialSortOrderRole).toInt(); };
        QCOMPARE(order({"Bytes", "bytes", true}), static_cast<int>(Qt::DescendingOrder));
        QCOMPARE(order({"Allocations", "count", true}), static_cast<int>(Qt::DescendingOrder));
        QCOMPARE(order({"Step", "step", true}), static_cast<int>(Qt::AscendingOrder));
        QCOMPARE(order({"At event", "peak_event", true}), static_cast<int>(Qt::AscendingOrder));
        QCOMPARE(order({"Call site", "key"}), static_cast<int>(Qt::AscendingOrder));
    }

    void aTableOfFiguresHasCategoriesAndKeptBytesIfItsRowsDo()
    {
        auto table = threeRows();
        table->categoryOf = [](std::uint32_t id) { return id == 7 ? "activations" : "gradients"; };
        table->rows[1].keptBytes = 512;
        TableModel model;
        model.setSource(figureSource(table, "Call site", false));
        QCOMPARE(
            column(model, model.column("category")), QStringList({"activations", "gradients", "gradients"}));
        QCOMPARE(column(model, model.column("kept_bytes")), QStringList({"–", "512 B", "–"}));
    }

    void aTreeOfATableKeepsWhatIsAboveAMatch()
    {
        TableTreeModel model;
        model.setTable(modulesTable(), {0, 1, 2, 1, 0});
        model.setFilter("NORM");
        QCOMPARE(column(model, 0), QStringList({"model", "total"}));
        QCOMPARE(column(model, 0, model.index(0, 0)), QStringList({"layer[0]"}));
    }

    void aTreeKeepsTheRulesOfItemModels()
    {
        CallTreeModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setTree(tree(CallDirection::TopDown));
        model.sort(NameColumn, Qt::AscendingOrder);
        model.setSearch("forward");
        model.sort(BytesColumn, Qt::DescendingOrder);
        model.setTree(tree(CallDirection::BottomUp));
        model.setTree(nullptr);
    }

    void rowsOfATreeSumToTheSet()
    {
        CallTreeModel model;
        model.setTree(tree(CallDirection::BottomUp));
        Bytes sum = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            sum += model.tree()->nodes[model.nodeOf(model.index(row, 0))].total.bytes;
        QCOMPARE(sum, m_analysis->figures.peakBytes);
    }

    void searchShowsMatchesWithAllAboveAndBelowThem()
    {
        CallTreeModel model;
        model.setTree(tree(CallDirection::TopDown));
        const int all = model.rowCount();
        model.setSearch("no such function anywhere");
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.matchCount(), std::size_t{0});
        model.setSearch("BACKWARD");
        QVERIFY(model.matchCount() > 0);
        QVERIFY(model.matched().bytes > 0);
        QVERIFY(model.rowCount() > 0 && model.rowCount() <= all);
        model.setSearch({});
        QCOMPARE(model.rowCount(), all);
    }

    void functionsMatchByNameOrFileWhateverTheLetterCase()
    {
        const std::vector<CallFunction> functions{
            {FunctionKind::Named, "Forward", "/src/model.py"}, {FunctionKind::Named, "step", "/src/adam.py"}};
        const FunctionMatches byName(functions, "forward");
        QVERIFY(byName.contains(FunctionId(0U)) && !byName.contains(FunctionId(1U)));
        QCOMPARE(FunctionMatches(functions, "SRC").count(), std::size_t{2});
    }

    void noFunctionMatchesAnEmptyText()
    {
        const FunctionMatches matches(std::vector<CallFunction>(1), {});
        QVERIFY(!matches.contains(FunctionId(0U)) && !matches.contains(FunctionId()));
    }

    void persistentIndexesFollowSorting()
    {
        CallTreeModel model;
        model.setTree(tree(CallDirection::BottomUp));
        const QPersistentModelIndex first = model.index(0, 0);
        const QString name = first.data().toString();
        model.sort(BytesColumn, Qt::AscendingOrder);
        QCOMPARE(first.data().toString(), name);
        QCOMPARE(first.row(), model.rowCount() - 1);
    }

    void aTableKeepsTheRulesOfItemModels()
    {
        TableModel model;
        const QAbstractItemModelTester tester(&model, kFatal);
        model.setSource(figureSource(threeRows(), "Function", true));
        model.sort(CountColumn, Qt::AscendingOrder);
        model.setFilter("alpha");
        model.setSource(figureSource(nullptr, "Function", true));
    }

    void aTableSortsAndSearchesWhateverTheLetterCase()
    {
        TableModel model;
        model.setSource(figureSource(threeRows(), "Function", true));
        QCOMPARE(column(model, BytesColumn), (QStringList{"3 MiB", "1 MiB", "1 KiB"}));
        model.sort(CountColumn, Qt::DescendingOrder);
        QCOMPARE(column(model, CountColumn), (QStringList{"9", "2", "1"}));
        model.setFilter("BETA");
        QCOMPARE(column(model, NameColumn), QStringList{"Beta"});
        model.setFilter("/x/");
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.shownRow(2), -1);
    }

    void rowsWithoutNamesAreNamedWhenLookedAt()
    {
        auto table = threeRows();
        table->nameOf = [](std::uint32_t id) { return "row " + std::to_string(id); };
        TableModel model;
        model.setSource(figureSource(table, "Allocation", false));
        QCOMPARE(column(model, NameColumn), (QStringList{"row 7", "row 8", "row 9"}));
        model.setFilter("8");
        QCOMPARE(column(model, NameColumn), QStringList{"row 8"});
    }

    void stacksStandInOneLineAndInTheTipInMany()
    {
        TableModel model;
        model.setSource(figureSource(threeRows(), "Stack", false));
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("main (a.py:1) ← run (b.py:2)"));
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains('\n'));
        QCOMPARE(model.columnCount(), 4);
    }

private:
    std::shared_ptr<const CallTree> tree(CallDirection direction) const
    {
        return std::make_shared<const CallTree>(callTree(*m_analysis->trace, m_analysis->allocations,
            m_analysis->sites, m_set, direction, FrameDetail::Python));
    }

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    LiveSet m_set;
};

HIGHWATER_APP_TEST(FigureModelsTest)

} // namespace highwater::gui::test

#include "figure_models_test.moc"
