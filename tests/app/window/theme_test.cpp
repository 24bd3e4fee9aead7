#include <algorithm>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyleOption>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "app/views/parts/plain_table.h"
#include "app/window/theme/theme.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/shown_texts.h"

namespace highwater::gui::test {

namespace {

FigureColor rgbAt(const QImage& picture, int x, int y)
{
    return picture.pixel(x, y) & 0xffffff;
}

/// Returns the largest contrast to the ground in the left `width` pixels of a widget's middle row.
double contrastOnTheLeft(QWidget& widget, const QColor& ground, int width)
{
    const QImage picture = widget.grab().toImage();
    double largest = 1;
    for (int x = 0; x < std::min(width, picture.width()); ++x)
        largest
            = std::max(largest, contrast(rgbAt(picture, x, picture.height() / 2), ground.rgb() & 0xffffff));
    return largest;
}

} // namespace

/// Tests of the controls that the style draws itself.
class ThemeTest : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { applyTheme(*qApp, ThemeChoice::Light); }

    void anUncheckedBoxHasAnOutlineInEveryTheme_data()
    {
        QTest::addColumn<QString>("theme");
        for (const char* name : {"light", "dark", "contrast"})
            QTest::newRow(name) << name;
    }
    void anUncheckedBoxHasAnOutlineInEveryTheme()
    {
        QFETCH(QString, theme);
        const ThemeColors colors = applyTheme(*qApp, themeFromName(theme));
        QCheckBox box;
        box.ensurePolished();
        box.resize(box.sizeHint());
        QVERIFY(contrastOnTheLeft(box, colors.window, box.width()) >= 3);
    }

    void aFocusedButtonHasOneRing()
    {
        const ThemeColors colors = applyTheme(*qApp, ThemeChoice::Light);
        QPushButton button(QStringLiteral("Compare"));
        button.resize(120, 26);
        button.show();
        QVERIFY(QTest::qWaitForWindowActive(&button));
        button.setFocus();
        const QImage picture = button.grab().toImage();
        int edges = 0;
        for (int y = 1; y < picture.height() / 2; ++y)
            edges += rgbAt(picture, 30, y) == (colors.accent.rgb() & 0xffffff)
                    && rgbAt(picture, 30, y - 1) != rgbAt(picture, 30, y)
                ? 1
                : 0;
        QCOMPARE(rgbAt(picture, 30, 1), colors.accent.rgb() & 0xffffff);
        QVERIFY2(edges <= 1, qPrintable(QString::number(edges)));
        QCOMPARE(rgbAt(picture, 30, 4), colors.button.rgb() & 0xffffff);
    }

    void aButtonHasAnEdgeInHighContrast()
    {
        const ThemeColors colors = applyTheme(*qApp, ThemeChoice::Contrast);
        QPushButton push(QStringLiteral("Copy"));
        QToolButton tool;
        QToolButton segment;
        segment.setProperty("segment", true);
        for (QWidget* button : std::initializer_list<QWidget*>{&push, &tool, &segment}) {
            button->resize(80, 26);
            button->ensurePolished();
            QVERIFY(contrastOnTheLeft(*button, colors.window, 3) >= kStrongContrast);
        }
    }

    void aScrollBarIsThinAndHasNoArrows()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        QScrollBar bar(Qt::Vertical);
        bar.ensurePolished();
        QCOMPARE(bar.sizeHint().width(), 10);
        QStyleOptionSlider option;
        option.initFrom(&bar);
        option.rect = {0, 0, 10, 200};
        option.orientation = Qt::Vertical;
        option.maximum = 100;
        option.pageStep = 10;
        for (const QStyle::SubControl arrow : {QStyle::SC_ScrollBarAddLine, QStyle::SC_ScrollBarSubLine})
            QVERIFY(bar.style()->subControlRect(QStyle::CC_ScrollBar, &option, arrow, &bar).height() <= 0);
    }

    void theChosenSegmentIsLighterThanItsNeighbours()
    {
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(*qApp, choice);
            QWidget group;
            int lightness[2] = {};
            for (const bool chosen : {false, true}) {
                QToolButton button(&group);
                button.setProperty("segment", true);
                button.setCheckable(true);
                button.setChecked(chosen);
                button.resize(60, 24);
                button.ensurePolished();
                lightness[chosen ? 1 : 0] = button.grab().toImage().pixelColor(6, 12).lightness();
            }
            QVERIFY(lightness[1] > lightness[0]);
        }
    }

    void aSelectedCellKeepsItsColourAndHasNoGroundOfItsOwn()
    {
        const ThemeColors colors = applyTheme(*qApp, ThemeChoice::Light);
        QStandardItemModel model(1, 1);
        model.setItem(0, 0, new QStandardItem(QStringLiteral("+1.64 GiB")));
        model.item(0, 0)->setForeground(QColor(0xb0, 0x40, 0x00));
        QTableView table;
        table.setModel(&model);
        table.setShowGrid(false);
        table.show();
        QVERIFY(QTest::qWaitForWindowActive(&table));
        table.setFocus();
        table.setCurrentIndex(model.index(0, 0));
        const QImage cell = table.viewport()->grab(table.visualRect(model.index(0, 0))).toImage();
        QCOMPARE(cell.pixelColor(1, 1).rgb(), colors.accentSoft.rgb());
        bool isOrange = false;
        for (int x = 0; x < cell.width(); ++x)
            for (int y = 0; y < cell.height(); ++y)
                isOrange = isOrange || cell.pixelColor(x, y).red() > cell.pixelColor(x, y).blue() + 80;
        QVERIFY(isOrange);
    }

    void textsAtTheEdgeOfATableEndWithAnEllipsis()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        QStandardItemModel model(1, 1);
        model.setHorizontalHeaderLabels({QStringLiteral("Largest call site")});
        model.setItem(0, 0, new QStandardItem(QStringLiteral("update_cache (model.py:28)")));
        QTableView table;
        table.setModel(&model);
        table.setWordWrap(false);
        table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        table.resize(80, 90);
        table.setColumnWidth(0, 400);
        table.show();
        for (const DrawnText& text : shownTexts(table))
            if (text.text.startsWith(QLatin1String("Larg")) || text.text.startsWith(QLatin1String("upd")))
                QVERIFY2(text.text.contains(QChar(0x2026)), qPrintable(text.text));
    }

    void aColumnOfNumbersThatTheEdgeCutsIsNotShown()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        QStandardItemModel model(1, 1);
        model.setHorizontalHeaderLabels({QStringLiteral("At its start")});
        model.setItem(0, 0, new QStandardItem(QStringLiteral("1,234,567,890,123,456,789 B")));
        model.item(0, 0)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        model.horizontalHeaderItem(0)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        QTableView table;
        table.setModel(&model);
        table.setWordWrap(false);
        table.verticalHeader()->hide();
        table.resize(150, 90);
        table.setColumnWidth(0, 400);
        table.show();
        const auto drawsNumber = [&table] {
            const std::vector<DrawnText> texts = shownTexts(table);
            return std::ranges::any_of(
                texts, [](const DrawnText& text) { return text.text.contains(QLatin1String("1,2")); });
        };
        QVERIFY(!drawsNumber());
        table.resize(600, 90);
        QVERIFY(drawsNumber());
    }

    void aRowThatTheEdgeCutsHasNoText()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        QStandardItemModel model(2, 1);
        for (int row = 0; row < 2; ++row)
            model.setItem(row, 0, new QStandardItem(QStringLiteral("row %1").arg(row)));
        QTableView table;
        table.setModel(&model);
        table.setFrameShape(QFrame::NoFrame);
        table.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        table.horizontalHeader()->hide();
        table.verticalHeader()->hide();
        table.resize(200, 2 * table.rowHeight(0) - tableRowHeight(table.fontMetrics()) / 2);
        table.show();
        QStringList shown;
        for (const DrawnText& text : shownTexts(table))
            shown << text.text;
        QCOMPARE(shown, QStringList{QStringLiteral("row 0")});
    }

    void rowsOfTreesAreAsHighAsThoseOfTables()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        QStandardItemModel model(1, 2);
        model.setItem(0, 0, new QStandardItem(QStringLiteral("forward (model.py:92)")));
        QTreeView tree;
        tree.setModel(&model);
        tree.show();
        const QTableView* const table = makePlainTable(model, {}, {}, &tree);
        QCOMPARE(tree.visualRect(model.index(0, 0)).height(), table->rowHeight(0));
    }

    void aNarrowComboBoxEndsItsTextWithAnEllipsis()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        QComboBox box;
        box.addItem(QStringLiteral("rank 2 · rank2_snapshot.pickle.zst"));
        box.resize(140, 26);
        box.ensurePolished();
        const std::vector<DrawnText> texts = shownTexts(box);
        QCOMPARE(texts.size(), std::size_t{1});
        QVERIFY2(texts[0].text.endsWith(QChar(0x2026)), qPrintable(texts[0].text));
    }

    void aComboBoxIsFlat()
    {
        const ThemeColors colors = applyTheme(*qApp, ThemeChoice::Dark);
        QComboBox box;
        box.resize(160, 26);
        box.ensurePolished();
        const QImage picture = box.grab().toImage();
        for (int y = 4; y < 22; ++y)
            QCOMPARE(picture.pixelColor(110, y), colors.surface);
    }
};

HIGHWATER_APP_TEST(ThemeTest)

} // namespace highwater::gui::test

#include "theme_test.moc"
