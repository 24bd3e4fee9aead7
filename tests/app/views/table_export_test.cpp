#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include "app/models/cell_data.h"
#include "app/models/table_model.h"
#include "app/views/parts/plain_table.h"
#include "app/views/parts/table_export.h"
#include "app/views/steps/steps_view.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "core/table/cells.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

Table smallTable()
{
    return {"small", "",
        {{"GPU", "gpu"}, {"Bytes", "size_bytes", true}, {"Blocks", "count", true},
            {"Factor", "ratio_thousandths", true}},
        {{"a \"GPU\", small", bytesCell(1073741824), countCell(1234), factorCell(2, 1)},
            {"=2+3", {}, countCell(0), {}}},
        {}, {}};
}

struct ShownTable
{
    ShownTable()
    {
        model.setTable(smallTable());
        view.setModel(&model);
        view.setSelectionBehavior(QAbstractItemView::SelectRows);
        offerTableExport(view);
        view.show();
    }
    QAction* action(const char* name) { return view.findChild<QAction*>(QLatin1String(name)); }

    TableModel model;
    QTableView view;
};

QString clipboard()
{
    return QGuiApplication::clipboard()->text();
}

} // namespace

class TableExportTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { useScratchSettings(); }

    void csvHasExactFiguresWithTheirUnitsAndTextsInQuotes()
    {
        ShownTable table;
        QCOMPARE(QString::fromStdString(csvOf(table.view)),
            QStringLiteral("GPU,Bytes (bytes),Blocks,Factor\r\n"
                           "\"a \"\"GPU\"\", small\",1073741824,1234,2×\r\n"
                           "\"'=2+3\",,0,–\r\n"));
    }

    void hiddenColumnsAreLeftOutAndRowsComeAsShown()
    {
        ShownTable table;
        table.view.setColumnHidden(1, true);
        table.view.setColumnHidden(3, true);
        table.model.sort(2, Qt::AscendingOrder);
        QCOMPARE(QString::fromStdString(csvOf(table.view)),
            QStringLiteral("GPU,Blocks\r\n\"'=2+3\",0\r\n\"a \"\"GPU\"\", small\",1234\r\n"));
    }

    void columnsThatDoNotFitAreLeftOutOnScreenOnly()
    {
        ShownTable table;
        leaveOutColumns(table.view);
        table.view.resize(table.view.columnWidth(0) + table.view.columnWidth(1) / 2 + 40, 200);
        QTRY_VERIFY(table.view.isColumnHidden(1) && table.view.isColumnHidden(3));
        QVERIFY(!table.view.isColumnHidden(0));
        QVERIFY(csvOf(table.view).starts_with("GPU,Bytes (bytes),Blocks,Factor"));
        table.view.resize(1000, 200);
        QTRY_VERIFY(!table.view.isColumnHidden(1) && !table.view.isColumnHidden(3));
    }

    void treesHaveADepthAndAreWrittenWhole()
    {
        QStandardItemModel model;
        model.setHorizontalHeaderLabels({"name"});
        auto* outer = new QStandardItem("outer");
        auto* inner = new QStandardItem("inner");
        inner->appendRow(new QStandardItem("innermost"));
        outer->appendRow(inner);
        model.appendRow(outer);
        model.appendRow(new QStandardItem("other"));
        QTreeView tree;
        tree.setModel(&model);
        QCOMPARE(QString::fromStdString(csvOf(tree)),
            QStringLiteral("depth,name\r\n0,outer\r\n1,inner\r\n2,innermost\r\n0,other\r\n"));
    }

    void ctrlCCopiesTheChosenRowsAsShown()
    {
        ShownTable table;
        QVERIFY(QTest::qWaitForWindowActive(&table.view));
        table.view.selectRow(1);
        table.view.setFocus();
        QTest::keyClick(&table.view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(clipboard(), QStringLiteral("GPU\tBytes\tBlocks\tFactor\n=2+3\t–\t0\t–\n"));
        table.view.clearSelection();
        table.action("copyRows")->trigger();
        QCOMPARE(clipboard().count('\n'), 3);
    }

    void csvGoesToTheClipboard()
    {
        ShownTable table;
        table.action("copyAsCsv")->trigger();
        QCOMPARE(clipboard().toStdString(), csvOf(table.view));
    }

    void csvGoesToAFileAndAFailureIsToldInASentence()
    {
        ShownTable table;
        QTemporaryDir folder;
        QString error;
        const QString path = folder.filePath(QStringLiteral("table.csv"));
        QVERIFY(saveCsv(table.view, path, error));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().toStdString(), csvOf(table.view));
        QVERIFY(!saveCsv(table.view, QStringLiteral("/no such folder/t.csv"), error));
        QVERIFY2(error.startsWith("/no such folder/t.csv: cannot be saved"), qPrintable(error));
    }

    void whatAViewOffersAlreadyStaysAndItsCopyIsKept()
    {
        QTableView view;
        auto* own = new QAction("Copy the rows", &view);
        own->setShortcut(QKeySequence::Copy);
        view.addAction(own);
        offerTableExport(view);
        offerTableExport(view);
        QCOMPARE(view.actions().first(), own);
        QCOMPARE(view.actions().size(), 4); // the table's own action, a separator, two forms of CSV
        QVERIFY(!view.findChild<QAction*>("copyRows"));
    }

    void stepsAreExportedInBytes()
    {
        const auto analysis = mainAnalysis("tiny-hand-checked");
        Selection selection;
        StepsView steps(selection);
        steps.showDevice(analysis);
        steps.show();
        const QString csv = QString::fromStdString(csvOf(steps.table()));
        QVERIFY2(csv.startsWith("Step,Peak (bytes),Left behind (bytes),Phase,At event,At its start (bytes),"
                                "At its end (bytes),"),
            qPrintable(csv));
        const Step& step = analysis->steps.steps.front();
        QVERIFY(csv.contains(QStringLiteral(",%1,%2,").arg(step.startBytes).arg(step.endBytes)));
    }

    void everyTableOfTheWindowCanBeExported()
    {
        MainWindow window(false);
        int tables = 0;
        const auto check = [&](const QWidget* view) {
            QVERIFY2(view->findChild<QAction*>("saveAsCsv"), qPrintable(view->objectName()));
            QCOMPARE(view->contextMenuPolicy(), Qt::ActionsContextMenu);
            ++tables;
        };
        for (const QTableView* view : window.findChildren<QTableView*>())
            check(view);
        for (const QTreeView* view : window.findChildren<QTreeView*>())
            check(view);
        QVERIFY(tables > 10);
    }
};

HIGHWATER_APP_TEST(TableExportTest)

} // namespace highwater::gui::test

#include "table_export_test.moc"
