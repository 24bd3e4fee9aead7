#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStyle>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "app/models/table_model.h"
#include "app/views/compare/diff_table.h"
#include "app/views/parts/plain_table.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/compare_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/text_device.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

/// Tests of the table of a comparison in a window.
class CompareTableTest : public WindowFixture
{
    Q_OBJECT

private:
    ComparePage& page() { return comparison(); }
    QTableView& table() { return page().rows().table(); }
    void open(const QString& before, const QString& after, const QSize& size)
    {
        m_window->resize(size);
        openPair(before, after);
    }
    void openRun(const QString& run, const QSize& size = {1280, 800})
    {
        open(run + QStringLiteral("-before"), run + QStringLiteral("-after"), size);
    }

private slots:
    void siteDifferenceAndBothAmountsAreOnScreen_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("run");
        for (const QSize& size : {QSize(960, 800), QSize(1280, 800)})
            for (const char* run : {"r5-flan-t5-xl", "r1-grpo"})
                QTest::addRow("%s at %d", run, size.width()) << size << QString::fromLatin1(run);
    }
    void siteDifferenceAndBothAmountsAreOnScreen()
    {
        QFETCH(QSize, size);
        QFETCH(QString, run);
        openRun(run, size);
        const auto& model = static_cast<const TableModel&>(*table().model());
        int lastLeft = -1;
        for (const char* key : {"key", "delta_bytes", "before_bytes", "after_bytes"}) {
            const int column = model.column(key);
            QVERIFY(column >= 0 && !table().isColumnHidden(column));
            const int left = table().columnViewportPosition(column);
            QVERIFY2(left > lastLeft && left + table().columnWidth(column) <= table().viewport()->width() + 1,
                key);
            lastLeft = left;
        }
        QVERIFY(!table().horizontalScrollBar()->isVisible());
    }

    void aNameIsNotCutWhileTheStatusIsShown()
    {
        for (const QSize& size : {QSize(960, 800), QSize(1280, 800), QSize(1440, 900)}) {
            openRun(QStringLiteral("r1-grpo"), size);
            const auto& model = static_cast<const TableModel&>(*table().model());
            const int wanted = static_cast<QAbstractItemView&>(table()).sizeHintForColumn(0);
            QVERIFY(table().columnWidth(0) >= wanted || table().isColumnHidden(model.column("status")));
        }
    }

    void theColumnsFillTheTable()
    {
        for (const char* run : {"r5-flan-t5-xl", "r1-grpo"}) {
            openRun(QString::fromLatin1(run));
            QVERIFY(table().horizontalHeader()->length() >= table().viewport()->width());
        }
    }

    void unchangedRowsAreBehindAButton()
    {
        openRun(QStringLiteral("r1-grpo"));
        const std::vector<DiffRow>& rows = page().state().diff()->diff.rows;
        const auto unchanged = std::ranges::count(rows, Bytes{0}, &DiffRow::delta);
        QVERIFY(unchanged > 0);
        auto* button = page().findChild<QToolButton*>(QStringLiteral("showUnchanged"));
        QCOMPARE(button->text(), QStringLiteral("Show unchanged (%1)").arg(unchanged));
        QCOMPARE(table().model()->rowCount(), static_cast<int>(rows.size()) - static_cast<int>(unchanged));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(table().model()->rowCount(), static_cast<int>(rows.size()));
    }

    void anUnchangedRowIsFoundByTheFilterAndShownWhenChosen()
    {
        openRun(QStringLiteral("r1-grpo"));
        const int shown = table().model()->rowCount();
        page().rows().filter().setText(QStringLiteral("same"));
        QVERIFY(table().model()->rowCount() > 0);
        page().rows().filter().clear();
        QCOMPARE(table().model()->rowCount(), shown);
        page().state().selectRows({static_cast<std::uint32_t>(shown)});
        QCOMPARE(table().selectionModel()->selectedRows().size(), qsizetype{1});
    }

    void everyStatusIsAWholeWord()
    {
        openRun(QStringLiteral("r1-grpo"));
        const auto& model = static_cast<const TableModel&>(*table().model());
        TextDevice device(table().viewport()->size());
        table().viewport()->render(&device);
        int words = 0;
        for (const DrawnText& text : device.texts())
            words += QStringList({"grew", "shrank", "gone", "new"}).contains(text.text);
        QVERIFY(words >= std::min(5, model.rowCount()));
    }

    void aNumberAndTheTextOfTheNextColumnAreApart()
    {
        openRun(QStringLiteral("r1-grpo"));
        const QStyle& style = *table().style();
        QVERIFY(style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &table()) + 1 >= kCellPadding);
        QCOMPARE(style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, &table()),
            m_window->findChild<QTableView*>(QStringLiteral("stepsTable"))
                ->style()
                ->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr,
                    m_window->findChild<QTableView*>(QStringLiteral("stepsTable"))));
    }

    void amountsAreNotCut()
    {
        openRun(QStringLiteral("r1-grpo"), {960, 800});
        TextDevice device(table().viewport()->size());
        table().viewport()->render(&device);
        for (const DrawnText& text : device.texts())
            if (text.text.contains(QStringLiteral("iB")) || text.text.contains(QStringLiteral(".py")))
                QVERIFY2(!text.text.endsWith(QChar(0x2026)), qPrintable(text.text));
    }

    void rowsThatExistOnlyBecauseARecordingStartsLateAreApart()
    {
        open(QStringLiteral("training-6-steps-annotated"), QStringLiteral("ring-buffer-overflow"),
            {1280, 800});
        QTableView& cut = page().rows().cutTable();
        const std::vector<DiffRow>& rows = page().state().diff()->diff.rows;
        QVERIFY(cut.isVisible() && cut.model()->rowCount() == 1);
        const auto unchanged = static_cast<int>(std::ranges::count(rows, Bytes{0}, &DiffRow::delta));
        QCOMPARE(table().model()->rowCount() + 1 + unchanged, static_cast<int>(rows.size()));
        QVERIFY(cut.model()->index(0, 0).data().toString().startsWith(QStringLiteral("freed by ")));
        const auto* why = page().findChild<QLabel*>(QStringLiteral("whyCut"));
        QVERIFY(why->isVisible());
        QVERIFY2(
            why->text().contains(QStringLiteral("the later recording starts late")), qPrintable(why->text()));
        QTest::mouseClick(
            cut.viewport(), Qt::LeftButton, {}, cut.visualRect(cut.model()->index(0, 0)).center());
        QCOMPARE(page().state().selectedRows(),
            std::vector<std::uint32_t>{static_cast<std::uint32_t>(rows.size() - 1)});
    }

    void rowsOfWholeRecordingsAreNotApart()
    {
        openRun(QStringLiteral("r5-flan-t5-xl"));
        QVERIFY(!page().rows().cutTable().isVisible());
    }
};

HIGHWATER_APP_TEST(CompareTableTest)

} // namespace highwater::gui::test

#include "compare_table_test.moc"
