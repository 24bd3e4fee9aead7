#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QMimeData>
#include <QPdfWriter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/views/parts/figure_view.h"
#include "app/views/parts/picture_export.h"
#include "app/views/picture/figure_painter.h"
#include "core/figure/drawing/svg_writer.h"
#include "core/figure/waterfall_figure.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

namespace {

constexpr FigureColor kRed = 0xff0000;
constexpr FigureColor kGreen = 0x00ff00;

Figure figureOf(std::vector<FigureShape> shapes)
{
    return {.width = 40, .height = 20, .title = "a figure", .shapes = std::move(shapes)};
}

QImage painted(std::vector<FigureShape> shapes, double ratio = 1)
{
    const Figure figure = figureOf(std::move(shapes));
    QImage image((QSizeF(figure.width, figure.height) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    paintFigure(painter, figure);
    return image;
}

/// Counts the pixels that have exactly this colour.
int count(const QImage& image, FigureColor color)
{
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            pixels += (image.pixel(x, y) & 0xffffff) == color ? 1 : 0;
    return pixels;
}

/// Returns the area that is not background, in pixels.
QRect inked(const QImage& image)
{
    QRect rect;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if ((image.pixel(x, y) & 0xffffff) != 0xffffff)
                rect |= QRect(x, y, 1, 1);
    return rect;
}

/// Returns two columns with ids 7 and 3, and one between them without an id; each has a third of the width.
Figure threeColumns(const FigureOptions& options)
{
    Figure figure{.width = static_cast<double>(options.width),
        .height = static_cast<double>(options.height),
        .background = options.dark ? 0x000000u : 0xffffffu,
        .title = options.titled ? "three columns, titled" : "three columns",
        .shapes = {}};
    const double wide = figure.width / 3;
    figure.shapes.emplace_back(FigureRect{
        .width = wide, .height = figure.height, .fill = kRed, .title = "first\nof three", .id = 7});
    figure.shapes.emplace_back(
        FigureRect{.x = wide, .width = wide, .height = figure.height, .fill = kGreen, .title = "<b>"});
    figure.shapes.emplace_back(FigureRect{
        .x = 2 * wide, .width = wide, .height = figure.height, .opacity = 0, .title = "last", .id = 3});
    return figure;
}

struct FigureScene
{
    explicit FigureScene(FigureView::Maker maker = threeColumns)
    {
        view.resize(300, 150);
        view.setMaker(std::move(maker));
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
    }
    QImage grab() { return view.grab().toImage(); }

    FigureView view;
};

} // namespace

class FigureViewTest : public QObject
{
    Q_OBJECT

private slots:
    void rectsBetweenPixelsAreCrispAtEveryScale()
    {
        const FigureRect rect{.x = 3.4, .y = 2.6, .width = 10, .height = 5, .fill = kRed};
        QCOMPARE(count(painted({rect}), kRed), 50);
        QCOMPARE(inked(painted({rect})), QRect(3, 3, 10, 5));
        QCOMPARE(count(painted({rect}, 2), kRed), 200);
        QCOMPARE(inked(painted({rect}, 2)), QRect(7, 5, 20, 10));
    }

    void rectsThatTouchLeaveNoGap()
    {
        std::vector<FigureShape> row;
        for (int i = 0; i < 8; ++i)
            row.emplace_back(FigureRect{
                .x = 2 + i * 3.3, .y = 0, .width = 3.3, .height = 20, .fill = i % 2 ? kRed : kGreen});
        const QImage image = painted(row);
        QCOMPARE(count(image, kRed) + count(image, kGreen), 26 * 20);
    }

    void whatIsThinnerThanAPixelKeepsItsShare()
    {
        const QImage image
            = painted({FigureRect{.x = 5, .y = 4.2, .width = 10, .height = 0.4, .fill = kRed}});
        QCOMPARE(inked(image), QRect(5, 4, 10, 1));
        const int green = qGreen(image.pixel(8, 4));
        QVERIFY2(green > 140 && green < 165, qPrintable(QString::number(green))); // 60% of the background
    }

    void opacityMixesWithWhatLiesBelow()
    {
        const QImage image
            = painted({FigureRect{.width = 10, .height = 10, .fill = 0x000000, .opacity = 0.5}});
        QVERIFY(std::abs(qRed(image.pixel(5, 5)) - 128) <= 1);
    }

    void whatOnlyAnswersThePointerIsNotPainted()
    {
        QVERIFY(inked(painted({FigureRect{.width = 10, .height = 10, .fill = kRed, .opacity = 0}})).isNull());
    }

    void straightLinesCoverWholePixels()
    {
        const FigureLine across{.points = {{2, 5}, {12, 5}}, .color = kRed};
        QCOMPARE(count(painted({across}), kRed), 10);
        QCOMPARE(count(painted({across}, 2), kRed), 40);
        const FigureLine upright{.points = {{5.3, 2}, {5.3, 12}}, .color = kRed, .width = 1.75};
        QCOMPARE(inked(painted({upright})), QRect(4, 2, 2, 10));
        QCOMPARE(count(painted({upright}), kRed), 20);
    }

    void dashesAreAsLongAsTheySay()
    {
        const FigureLine line{.points = {{0, 5}, {40, 5}}, .color = kRed, .width = 2, .dash = {4, 6}};
        QCOMPARE(count(painted({line}), kRed), 4 * 4 * 2);
        const FigureLine odd{.points = {{0, 5}, {40, 5}}, .color = kRed, .width = 2, .dash = {5}};
        QCOMPARE(count(painted({odd}), kRed), 4 * 5 * 2);
    }

    void polygonsAreFilled()
    {
        const QImage image
            = painted({FigurePolygon{.points = {{2, 2}, {12, 2}, {12, 12}, {2, 12}}, .fill = kGreen}});
        QCOMPARE(count(image, kGreen), 100);
    }

    void textsStandWhereTheirAnchorSays()
    {
        const auto at = [](TextAnchor anchor) {
            return inked(painted({FigureText{.x = 20, .y = 15, .text = "mm", .anchor = anchor}}));
        };
        QVERIFY(at(TextAnchor::Start).left() >= 20);
        QVERIFY(at(TextAnchor::End).right() <= 20);
        QVERIFY(std::abs(at(TextAnchor::Middle).center().x() - 20) <= 1);
        QVERIFY(at(TextAnchor::Start).bottom() <= 15);
    }

    void textsCanBeBoldAndReadUpwards()
    {
        const auto text = [](bool bold, bool upwards) {
            return inked(
                painted({FigureText{.x = 18, .y = 19, .text = "ll", .bold = bold, .upwards = upwards}}));
        };
        QVERIFY(text(true, false).width() >= text(false, false).width());
        QVERIFY(text(false, true).height() < text(false, false).height());
        QVERIFY(text(false, true).right() <= 18);
    }

    void figuresCanBePrinted()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("figure.pdf"));
        {
            QPdfWriter writer(path);
            QPainter painter(&writer);
            painter.scale(10, 10);
            paintFigure(painter, figureOf({FigureRect{.width = 9, .height = 9}, FigureText{.text = "text"}}));
        }
        QVERIFY(QFile(path).size() > 500);
    }

    void figureIsMadeForTheSizeAndTheThemeOfTheView()
    {
        std::vector<FigureOptions> asked;
        FigureScene scene([&](const FigureOptions& options) {
            asked.push_back(options);
            return threeColumns(options);
        });
        scene.view.resize(420, 200);
        QCOMPARE(asked.back().width, 420);
        QCOMPARE(asked.back().height, 200);
        QVERIFY(!asked.back().dark);
        QVERIFY(!asked.back().titled);
        scene.view.setColors(ThemeColors::darkColors());
        QVERIFY(asked.back().dark);
        QCOMPARE(scene.grab().pixelColor(400, 100), QColor(Qt::black));
    }

    void plainRepaintsMakeNothing()
    {
        int made = 0;
        FigureScene scene([&](const FigureOptions& options) {
            ++made;
            return threeColumns(options);
        });
        const int before = made;
        for (int i = 0; i < 5; ++i)
            scene.view.repaint();
        scene.view.setSelected(7);
        scene.view.repaint();
        QCOMPARE(made, before);
    }

    void figureNamesTheViewForThoseWhoCannotSeeIt()
    {
        QCOMPARE(FigureScene().view.accessibleName(), QStringLiteral("three columns"));
    }

    void titlesAreToldWhereTheirShapesAre()
    {
        FigureScene scene;
        QCOMPARE(scene.view.titleAt({50, 75}), QStringLiteral("first\nof three"));
        QCOMPARE(scene.view.titleAt({150, 75}), QStringLiteral("<b>"));
        QCOMPARE(scene.view.titleAt({250, 75}), QStringLiteral("last"));
        QCOMPARE(scene.view.titleAt({250, 175}), QString());
    }

    void aTextThatIsCutIsToldWhole()
    {
        FigureText text = fitted(
            {.x = 200, .y = 20, .text = "a long label of a bar", .size = 12, .anchor = TextAnchor::End}, 60);
        QCOMPARE(titleAt({text}, {190, 16}), QStringLiteral("a long label of a bar"));
        QCOMPARE(titleAt({text}, {210, 16}), QString());
    }

    void aTextThatIsCutIsToldAboveTheTitleOfItsShape()
    {
        const FigureRect row{.width = 200, .height = 40, .title = "33.5 MiB"};
        const FigureText text = fitted({.x = 10, .y = 20, .text = "a long label of a bar"}, 60);
        QCOMPARE(titleAt({row, text}, {20, 16}), QStringLiteral("a long label of a bar\n33.5 MiB"));
    }

    void clickOnAShapeSaysWhatItStandsFor()
    {
        FigureScene scene;
        QSignalSpy clicked(&scene.view, &FigureView::clicked);
        QTest::mouseClick(&scene.view, Qt::LeftButton, {}, {50, 75});
        QTest::mouseClick(&scene.view, Qt::LeftButton, {}, {150, 75}); // the column has no id
        QTest::mouseClick(&scene.view, Qt::LeftButton, {}, {250, 75});
        QTest::mouseClick(&scene.view, Qt::RightButton, {}, {50, 75});
        QCOMPARE(clicked.size(), 2);
        QCOMPARE(clicked[0][0].toInt(), 7);
        QCOMPARE(clicked[1][0].toInt(), 3);
    }

    void thinShapesAnswerALittleBesideThem()
    {
        FigureScene scene([](const FigureOptions& options) {
            Figure figure = threeColumns(options);
            figure.shapes = {FigureRect{.x = 100, .width = 1, .height = 150, .id = 5}};
            return figure;
        });
        QCOMPARE(scene.view.idAt({103, 75}), std::optional(5));
        QCOMPARE(scene.view.idAt({108, 75}), std::nullopt);
    }

    void arrowsWalkOverWhatCanBeClickedAndEnterClicks()
    {
        FigureScene scene;
        QSignalSpy clicked(&scene.view, &FigureView::clicked);
        scene.view.setFocus();
        QTest::keyClick(&scene.view, Qt::Key_Return); // nothing is selected yet
        QTest::keyClick(&scene.view, Qt::Key_Right);
        QTest::keyClick(&scene.view, Qt::Key_Return);
        QTest::keyClick(&scene.view, Qt::Key_Down);
        QCOMPARE(scene.view.accessibleDescription(), QStringLiteral("last"));
        QTest::keyClick(&scene.view, Qt::Key_Right); // this is the last one
        QTest::keyClick(&scene.view, Qt::Key_Space);
        QTest::keyClick(&scene.view, Qt::Key_Home);
        QTest::keyClick(&scene.view, Qt::Key_Enter);
        QTest::keyClick(&scene.view, Qt::Key_End);
        QTest::keyClick(&scene.view, Qt::Key_Left);
        QTest::keyClick(&scene.view, Qt::Key_Enter);
        QCOMPARE(clicked.size(), 4);
        QCOMPARE(clicked[0][0].toInt(), 7);
        QCOMPARE(clicked[1][0].toInt(), 3);
        QCOMPARE(clicked[2][0].toInt(), 7);
        QCOMPARE(clicked[3][0].toInt(), 7);
    }

    void selectedShapesAreOutlined()
    {
        FigureScene scene;
        const QRgb ink = ThemeColors::light().text.rgb();
        QCOMPARE(scene.grab().pixel(1, 75), QColor(Qt::red).rgb());
        scene.view.setSelected(7);
        QCOMPARE(scene.grab().pixel(1, 75), ink);
        QCOMPARE(scene.grab().pixel(50, 75), QColor(Qt::red).rgb());
        scene.view.setSelected(std::nullopt);
        QCOMPARE(scene.grab().pixel(1, 75), QColor(Qt::red).rgb());
    }

    void rowsOfAWaterfallCanBeClicked()
    {
        RunDiff diff;
        diff.rows.resize(2);
        diff.rows[0].key = "forward (src/model.py:12)";
        diff.rows[0].after = {800, 2, 400};
        diff.rows[1].key = "step (src/train.py:3)";
        diff.rows[1].before = {1, 1, 1};
        diff.before.bytes = 1;
        diff.after.bytes = 800;
        FigureScene scene([&](const FigureOptions& options) {
            return waterfallFigure(diff, {"a", "b", "site"}, options);
        });
        scene.view.resize(300, 260);
        QCOMPARE(scene.view.ids(), (std::vector<int>{0, 1}));
        QSignalSpy clicked(&scene.view, &FigureView::clicked);
        const QRectF row = scene.view.rectOf(1);
        QVERIFY(row.width() > 250); // the complete row, although its bar is thin
        QTest::mouseClick(&scene.view, Qt::LeftButton, {}, row.center().toPoint());
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked[0][0].toInt(), 1);
    }

    void aSavedPictureIsTheOneOnScreen()
    {
        FigureScene scene;
        const Picture saved = offeredPicture(scene.view).source(PictureRoom{});
        QCOMPARE(toSvg(*saved.figure()), toSvg(scene.view.figure()));
    }

    void aPictureForASlideFillsItsRoom()
    {
        FigureScene scene;
        const Picture saved = offeredPicture(scene.view).source(PictureRoom{.size = {1280, 700}});
        QCOMPARE(saved.size(), QSizeF(1280, 700));
        QVERIFY(scene.view.figure().width < 1280);
    }

    void copyPutsThePictureOnTheClipboard()
    {
        FigureScene scene;
        scene.view.findChild<QAction*>(QStringLiteral("copyPicture"))->trigger();
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data->hasImage());
        QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains("three columns"));
    }

    void withoutAMakerThereIsNothing()
    {
        FigureScene scene;
        scene.view.setMaker(nullptr);
        QVERIFY(scene.view.ids().empty());
        QVERIFY(!scene.view.findChild<QAction*>(QStringLiteral("savePicture"))->isEnabled());
        QTest::mouseClick(&scene.view, Qt::LeftButton, {}, {50, 75});
        QTest::keyClick(&scene.view, Qt::Key_Right);
        QCOMPARE(scene.grab().pixelColor(50, 75), ThemeColors::light().surface);
    }
};

HIGHWATER_APP_TEST(FigureViewTest)

} // namespace highwater::gui::test

#include "figure_view_test.moc"
