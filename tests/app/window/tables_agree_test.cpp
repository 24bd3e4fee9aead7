#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/models/cell_data.h"
#include "app/models/table_model.h"
#include "app/views/budget/budget_view.h"
#include "app/views/parts/figure_view.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/window_pages.h"
#include "app/workspace/compare/open_sessions.h"
#include "app/workspace/document/run_session.h"
#include "core/run/gpu_models.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui {

using test::isOn;
using test::samplePath;

namespace {

QByteArray outputOf(const QStringList& arguments)
{
    QProcess command;
    command.start(QStringLiteral(HIGHWATER_CLI), arguments);
    command.waitForFinished(120'000);
    return command.readAllStandardOutput();
}

/// Returns a table from `highwater report` in JSON; an empty object if the report has no such table.
QJsonObject reportTable(const QStringList& arguments, const QString& id)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("report.json"));
    outputOf(QStringList{QStringLiteral("report"), QStringLiteral("--quiet")} + arguments
        + QStringList{QStringLiteral("-o"), path});
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QJsonObject report = QJsonDocument::fromJson(file.readAll()).object();
    for (const QJsonValue& section : report[QStringLiteral("sections")].toArray())
        for (const QJsonValue& block : section[QStringLiteral("blocks")].toArray())
            if (block[QStringLiteral("id")].toString() == id)
                return block.toObject();
    return {};
}

const TableModel& modelOf(const QWidget& parent, const char* name)
{
    return static_cast<const TableModel&>(*parent.findChild<QTableView*>(QLatin1String(name))->model());
}

/// True if a report's JSON value matches the cell: the exact figure, or the text, complete or as displayed.
bool isCell(const QModelIndex& index, const QJsonValue& value)
{
    const QString text = index.data().toString();
    if (value.isNull())
        return text == QStringLiteral("–") || text == QStringLiteral("no");
    if (value.isString()) {
        const QString whole = index.data(Qt::ToolTipRole).toString(); // the complete text of the cell
        return value.toString() == text || value.toString() == whole
            || whole == text + QLatin1Char('\n') + value.toString();
    }
    const QVariant exact = index.data(kExactRole);
    return !exact.isValid() || exact.toLongLong() == value.toInteger();
}

/// Expects every row of the report's table to be in the window's table, and the column titles to be equal.
/// Only the report has a row for the omitted entries.
void expectSameAsReport(const TableModel& model, const QJsonObject& table)
{
    for (const QJsonValue& column : table[QStringLiteral("columns")].toArray())
        if (const int at = model.column(column[QStringLiteral("key")].toString().toStdString()); at >= 0)
            QCOMPARE(
                model.headerData(at, Qt::Horizontal).toString(), column[QStringLiteral("title")].toString());
    const auto isRow = [&](int row, const QJsonObject& cells) {
        for (auto cell = cells.begin(); cell != cells.end(); ++cell)
            if (const int at = model.column(cell.key().toStdString());
                at >= 0 && !isCell(model.index(row, at), cell.value()))
                return false;
        return true;
    };
    const QJsonArray rows = table[QStringLiteral("rows")].toArray();
    QVERIFY(!rows.isEmpty());
    for (const QJsonValue& row : rows) {
        if (row[QStringLiteral("key")].toString().endsWith(QStringLiteral(" others")))
            continue;
        bool found = false;
        for (int i = 0; i < model.rowCount() && !found; ++i)
            found = isRow(i, row.toObject());
        QVERIFY2(found, QJsonDocument(row.toObject()).toJson().constData());
    }
}

/// Expects the command line to print the row on one line: the window's cells from one column to another,
/// except for columns that it omits from the header.
void expectInText(
    const TableModel& model, const QByteArray& text, int row, const char* first, const char* last)
{
    QStringList lines;
    for (const QString& line : QString::fromUtf8(text).split(QLatin1Char('\n')))
        lines << line.simplified();
    const auto titleOf
        = [&model](int column) { return model.headerData(column, Qt::Horizontal).toString().simplified(); };
    const QString firstTitle = titleOf(model.column(first));
    const QString lastTitle = titleOf(model.column(last));
    const auto header = std::ranges::find_if(
        lines, [&](const QString& line) { return line.contains(firstTitle) && line.contains(lastTitle); });
    QVERIFY2(header != lines.end(), qPrintable(firstTitle));
    QStringList cells;
    for (int column = model.column(first); column <= model.column(last); ++column)
        if (header->contains(titleOf(column)))
            cells << model.index(row, column).data().toString();
    const QString wanted = cells.join(QLatin1Char(' ')).simplified();
    QVERIFY2(std::ranges::any_of(lines, [&](const QString& line) { return line.contains(wanted); }),
        qPrintable(wanted));
}

void addSnapshots()
{
    QTest::addColumn<QString>("path");
    const QDir samples(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/pytorch-snapshot"));
    for (const QString& name : samples.entryList({QStringLiteral("*.pickle.zst")}))
        QTest::newRow(qPrintable(name)) << samples.filePath(name);
}

} // namespace

/// Checks that window, command line and report have the same tables.
class TablesAgreeTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useScratchSettings(); }

    void ofSteps_data() { addSnapshots(); }
    void ofSteps()
    {
        QFETCH(QString, path);
        MainWindow window(false);
        window.show();
        window.openFile(path);
        QTRY_VERIFY(isOn(window.page()));
        window.openView(QStringLiteral("steps"));
        const TableModel& model = modelOf(window, "stepsTable");
        QTRY_VERIFY(model.rowCount() > 0);
        if (const QJsonObject table = reportTable({path}, QStringLiteral("steps")); !table.isEmpty())
            expectSameAsReport(model, table);
        const QByteArray text = outputOf({QStringLiteral("peaks"), path, QStringLiteral("--steps"),
            QStringLiteral("--quiet"), QStringLiteral("--top=1")});
        for (int row = 0; row < std::min(model.rowCount(), 6); ++row)
            expectInText(
                model, text, row, "name", text.contains("Left behind") ? "left_behind_bytes" : "peak_bytes");
    }

    void ofTheAllocator()
    {
        const QString path = samplePath(QStringLiteral("oom-fragmentation"));
        MainWindow window(false);
        window.show();
        window.openFile(path);
        QTRY_VERIFY(isOn(window.page()));
        window.openView(QStringLiteral("segments"));
        const TableModel& pools = modelOf(window, "freeLists");
        QTRY_VERIFY(pools.rowCount() > 0);
        const QJsonObject table = reportTable({path}, QStringLiteral("pools"));
        QVERIFY(!table.isEmpty());
        expectSameAsReport(pools, table);
        const QByteArray text = outputOf({QStringLiteral("segments"), path, QStringLiteral("--quiet")});
        const TableModel& holes = modelOf(window, "largestHoles");
        QVERIFY(holes.rowCount() > 0);
        for (int row = 0; row < holes.rowCount(); ++row)
            expectInText(holes, text, row, "free_bytes", "pin_bytes");
        for (int row = 0; row < pools.rowCount(); ++row)
            expectInText(pools, text, row, "pool", "largest_free_bytes");
    }

    void ofTheBudget()
    {
        const QString path = samplePath(QStringLiteral("r1-grpo-before"));
        const QString configuration = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/budget/r1-grpo.yaml");
        MainWindow window(false);
        window.show();
        window.openFile(path);
        QTRY_VERIFY(isOn(window.page()));
        window.openView(QStringLiteral("budget"));
        window.openConfiguration(configuration);
        const auto* view = window.findChild<FigureView*>(QStringLiteral("budgetLines"));
        QTRY_VERIFY(!view->figure().shapes.empty());
        QStringList command{QStringLiteral("budget"), path, QStringLiteral("--config"), configuration};
        for (const GpuModel& gpu : gpuModels())
            command << QStringLiteral("--gpu") << QString::fromStdString(gpu.name);
        const QString text = QString::fromUtf8(outputOf(command));
        int figures = 0;
        for (const FigureShape& shape : view->figure().shapes) {
            const auto* of = std::get_if<FigureText>(&shape);
            if (!of || of->anchor != TextAnchor::End || of->text.find("iB") == std::string::npos)
                continue;
            ++figures;
            QVERIFY2(text.contains(QString::fromStdString(of->text)), of->text.c_str());
        }
        QVERIFY(figures > 10);
    }

    void ofRanks()
    {
        const QString folder = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks");
        MainWindow window(false);
        window.show();
        window.openFiles({folder});
        QTRY_VERIFY(window.sessions().run.shown().has_value() && !window.sessions().run.run().isLoading());
        window.openView(QStringLiteral("ranks"));
        const TableModel& model = modelOf(window, "ranksTable");
        QTRY_COMPARE(model.rowCount(), 4);
        expectSameAsReport(model, reportTable({folder}, QStringLiteral("run-ranks")));
        const QByteArray text = outputOf({QStringLiteral("ranks"), folder});
        for (int row = 0; row < model.rowCount(); ++row)
            expectInText(model, text, row, "rank", "above_median_bytes");
        for (int row = 0; row < model.rowCount(); ++row)
            expectInText(model, text, row, "peak_step", "file");
    }

    void ofWhatChanged_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"r1-grpo", "r2-grpo-logits", "r3-vocabulary", "r5-flan-t5-xl"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void ofWhatChanged()
    {
        QFETCH(QString, name);
        const QString before = samplePath(name + QStringLiteral("-before"));
        const QString after = samplePath(name + QStringLiteral("-after"));
        MainWindow window(false);
        window.show();
        window.compareFiles(before, after);
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        const TableModel& rows = modelOf(window, "diffTable");
        QTRY_VERIFY(rows.rowCount() > 0);
        if (auto* unchanged = window.findChild<QToolButton*>(QStringLiteral("showUnchanged"));
            !unchanged->isHidden())
            unchanged->click();
        expectSameAsReport(
            rows, reportTable({after, QStringLiteral("--before"), before}, QStringLiteral("change-sites")));
        const QByteArray text = outputOf({QStringLiteral("diff"), before, after, QStringLiteral("--quiet"),
            QStringLiteral("--top=0"), QStringLiteral("--group=site")});
        for (int row = 0; row < rows.rowCount(); ++row)
            expectInText(rows, text, row, "key", "before_bytes");
    }

    void aDifferenceOfZeroIsWrittenOneWay()
    {
        const QString path = samplePath(QStringLiteral("two-streams-record-stream"));
        MainWindow window(false);
        window.show();
        window.compareFiles(path, path);
        QTRY_VERIFY(isOn(window.pages().compare) && window.pages().compare.isSettled());
        const TableModel& rows = modelOf(window, "diffTable");
        QTRY_VERIFY(rows.rowCount() > 0);
        const QString zero = QStringLiteral("0 B");
        for (int row = 0; row < rows.rowCount(); ++row)
            QCOMPARE(rows.index(row, rows.column("delta_bytes")).data().toString(), zero);
        const auto textOf = [](const QStringList& arguments) {
            return QString::fromUtf8(outputOf(arguments)).simplified();
        };
        const QString key = rows.index(0, rows.column("key")).data().toString();
        QVERIFY(textOf({QStringLiteral("diff"), path, path, QStringLiteral("--quiet")})
                    .contains(key + QLatin1Char(' ') + zero));
        const QTemporaryDir folder;
        QFile report(folder.filePath(QStringLiteral("report.md")));
        outputOf({QStringLiteral("report"), QStringLiteral("--quiet"), path, QStringLiteral("--before"), path,
            QStringLiteral("-o"), report.fileName()});
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(QString::fromUtf8(report.readAll()).contains(QStringLiteral("| ") + zero));
    }

    void ofSeveralRuns()
    {
        const QStringList paths{samplePath(QStringLiteral("r5-flan-t5-xl-after")),
            samplePath(QStringLiteral("r1-grpo-before")), samplePath(QStringLiteral("r5-flan-t5-xl-before"))};
        MainWindow window(false);
        window.show();
        window.sweepFiles(paths);
        const TableModel& model = modelOf(window, "sweepTable");
        QTRY_VERIFY(model.rowCount() == 3 && !window.sessions().sweep.isLoading());
        const QByteArray text
            = outputOf(QStringList{QStringLiteral("diff"), QStringLiteral("--quiet")} + paths);
        for (int row = 0; row < model.rowCount(); ++row) {
            expectInText(model, text, row, "name", "delta_bytes");
            expectInText(model, text, row, "peak_event", "events");
        }
    }
};

HIGHWATER_APP_TEST(TablesAgreeTest)

} // namespace highwater::gui

#include "tables_agree_test.moc"
