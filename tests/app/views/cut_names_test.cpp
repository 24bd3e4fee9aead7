#include <QFontMetrics>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "app/models/table_model.h"
#include "app/timeline/lane_strip.h"
#include "app/views/log/series_list.h"
#include "app/views/pages/start_page.h"
#include "app/views/parts/box_label.h"
#include "app/views/parts/plain_table.h"
#include "app/workspace/document/recent_files.h"
#include "core/table/diff_tables.h"
#include "core/trace/trace_builder.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/painted_texts.h"

namespace highwater::gui::test {

/// Tests of names that do not fit: what they share is cut, and what differs stays.
class CutNamesTest : public QObject
{
    Q_OBJECT

private slots:
    void whatNamesShareIsCutFirst()
    {
        const QFontMetrics font(QFont{});
        const QString name = QStringLiteral("backward · AddmmBackward0");
        const QString rest = QStringLiteral("…AddmmBackward0");
        QCOMPARE(cutHead(font, name, font.horizontalAdvance(name)), name);
        QCOMPARE(cutHead(font, name, font.horizontalAdvance(rest)), rest);
        QVERIFY(cutHead(font, name, font.horizontalAdvance(rest) - 8).startsWith(QStringLiteral("…Addmm")));
    }

    void aShortNameThatFitsStays()
    {
        const QFontMetrics font(QFont{});
        const QString name = QStringLiteral("to (modeling_utils.py:3110)");
        QCOMPARE(cutFunction(font, name, font.horizontalAdvance(name)), name);
    }

    void theFunctionOfABoxIsCutAtItsEnd()
    {
        const QFontMetrics font(QFont{});
        const QString name = QStringLiteral("compute_policy_log_probs (trainer.py:186)");
        const QString cut = fittingLabel(font, name, {}, font.horizontalAdvance(name) - 20);
        QVERIFY2(cut.startsWith(QStringLiteral("compute_")), qPrintable(cut));
        QVERIFY2(cut.endsWith(QStringLiteral("… (trainer.py:186)")), qPrintable(cut));
    }

    void aBoxWithoutRoomForANameHasNoSizeEither()
    {
        const QFontMetrics font(QFont{});
        const QString size = QStringLiteral("3 B");
        for (const char* name : {"compute (very_long_file_name.py:186)", "parameters of the model"})
            QCOMPARE(
                fittingLabel(font, QLatin1String(name), size, font.horizontalAdvance(size) + 2), QString());
    }

    void aRangeThatIsNarrowIsNamedWithoutItsNamespace()
    {
        TraceBuilder builder;
        const StreamId stream = builder.stream(0);
        constexpr int events = 100;
        for (int i = 0; i < events; ++i)
            builder.addEvent(
                {Action::Alloc, static_cast<Address>(i) * 1024, 512, (i + 1) * 1000, stream, {}, {}, {}, {}});
        builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, std::uint32_t{events}}});
        const StringId name = builder.strings().intern("autograd::engine::Accumulate");
        builder.addAnnotationMark({name, 0, 10'500, true});
        builder.addAnnotationMark({name, 0, 22'400, false});
        const auto analysis = std::make_shared<const DeviceAnalysis>(builder.finish(), DeviceIndex{0});
        VisibleRange range;
        LaneStrip strip(range);
        strip.resize(1120, 100);
        strip.setEdges(100, 1100);
        const EventScale scale(*analysis->trace, analysis->device, AxisKind::Event);
        range.setLimits(scale.begin(), scale.end(), 1, 1);
        QSignalSpy changed(&strip, &LaneStrip::lanesChanged);
        strip.show(analysis, AxisKind::Event);
        QVERIFY(changed.wait());
        const PaintedTexts painted;
        strip.grab();
        QVERIFY2(painted.all.contains(QStringLiteral("Accumulate")), qPrintable(painted.all.join(' ')));
    }

    void theFolderOfARecentFileEndsWithAnEllipsis()
    {
        RecentFiles recent(false);
        const QString folder = QStringLiteral("/runs/") + QString(300, QLatin1Char('x'));
        recent.add(folder + QStringLiteral("/first.pickle"));
        StartPage page(recent);
        page.resize(1200, 900);
        page.show();
        const auto labelsWith = [&page](const QString& part) {
            QStringList texts;
            for (const QLabel* label : page.findChildren<QLabel*>())
                texts << label->text();
            return texts.filter(part).size();
        };
        QTRY_COMPARE(labelsWith(folder), 0);
        QCOMPARE(labelsWith(QStringLiteral("first.pickle")), 1);
    }

    void aLongNameOfASeriesIsWholeWhereThereIsRoom()
    {
        TraceBuilder builder;
        CounterSeries series;
        series.name = "memory/a_long_name_of_a_series/max_reserved_of_all_ranks";
        series.unit = "bytes";
        series.value = {1, 2};
        builder.addCounter(std::move(series));
        SeriesList list;
        list.setTrace(builder.finish());
        list.resize(2000, 200);
        list.show();
        QTRY_VERIFY(list.viewport()->width() > 1900);
        const QTreeWidgetItem& first = *list.topLevelItem(0);
        const QString name = (first.childCount() > 0 ? *first.child(0) : first).text(0);
        QVERIFY(list.columnWidth(0) > list.fontMetrics().horizontalAdvance(name));
        list.resize(700, 200); // room for the name and the figures
        QTRY_COMPARE(list.horizontalScrollBar()->maximum(), 0);
    }

    void aLongTextHasTheWidthThatIsLeftByColumnsThatFit()
    {
        TableModel model;
        model.setTable(settingChangeTable({{std::string(100, 'a'), "b", "c"}}));
        QWidget window;
        auto* table = makePlainTable(model, QStringLiteral("settings"), QStringLiteral("Settings"), &window);
        leaveOutColumns(*table);
        table->resize(2000, 100);
        fitColumns(*table);
        window.show();
        QTRY_VERIFY(table->columnWidth(0) > table->fontMetrics().horizontalAdvance(QString(100, 'a')));
        const int all = 340 + table->columnWidth(1) + table->columnWidth(2);
        table->resize(all + 20, 100);
        QTRY_VERIFY(table->columnWidth(0) >= 340 && table->columnWidth(0) <= 360);
        QVERIFY(!table->isColumnHidden(2));
    }

    void aLongTextIsCutBeforeAnEssentialColumnIsLeftOut()
    {
        TableModel model;
        model.setTable(settingChangeTable({{std::string(100, 'a'), "b", "c"}}));
        QWidget window;
        auto* table = makePlainTable(model, QStringLiteral("settings"), QStringLiteral("Settings"), &window);
        leaveOutColumns(*table, 3);
        table->resize(400, 100);
        fitColumns(*table);
        window.show();
        QTRY_COMPARE(table->horizontalHeader()->length(), table->viewport()->width());
        QVERIFY(!table->isColumnHidden(2));
    }

    void longSettingsShareTheWidthOfTheirTable()
    {
        TableModel model;
        model.setTable(settingChangeTable({{"allocator", std::string(300, 'a'), std::string(300, 'b')}}));
        QWidget window;
        auto* table = makePlainTable(model, QStringLiteral("settings"), QStringLiteral("Settings"), &window);
        table->resize(480, 100);
        shareColumns(*table);
        window.resize(480, 100);
        window.show();
        QTRY_COMPARE(table->horizontalHeader()->length(), table->viewport()->width());
        QVERIFY(qAbs(table->columnWidth(1) - table->columnWidth(2)) <= 1);
    }

    void aLongNameOfASettingLeavesHalfOfItsTableToTheValues()
    {
        TableModel model;
        model.setTable(settingChangeTable({{std::string(100, 'a') + ".batch", "8", "4"}}));
        QWidget window;
        auto* table = makePlainTable(model, QStringLiteral("settings"), QStringLiteral("Settings"), &window);
        table->resize(340, 100);
        shareColumns(*table);
        window.resize(340, 100);
        window.show();
        QTRY_COMPARE(table->columnWidth(0), table->viewport()->width() / 2);
        QCOMPARE(table->horizontalHeader()->length(), table->viewport()->width());
    }
};

HIGHWATER_APP_TEST(CutNamesTest)

} // namespace highwater::gui::test

#include "cut_names_test.moc"
