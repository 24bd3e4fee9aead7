#include <algorithm>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolButton>

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

    void aNumberAtTheEdgeOfATableIsNotCut()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        QStandardItemModel model(1, 1);
        model.setHorizontalHeaderLabels({QStringLiteral("At its start")});
        model.setItem(0, 0, new QStandardItem(QStringLiteral("1,234,567,890,123,456,789 B")));
        model.item(0, 0)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
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
        const QRect cell = table.visualRect(model.index(0, 0)).intersected(table.viewport()->rect());
        const QImage image = table.viewport()->grab(cell).toImage();
        const QImage blank = image.copy(0, 0, image.width() / 2, image.height());
        const QImage sign = image.copy(image.width() - blank.width(), 0, blank.width(), image.height());
        QVERIFY(sign != blank); // the sign that the table goes on
        table.resize(600, 90);
        QVERIFY(drawsNumber());
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
