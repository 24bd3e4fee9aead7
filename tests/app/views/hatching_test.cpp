#include "app/views/picture/hatching.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include "app/views/picture/figure_painter.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

namespace {

constexpr int kSide = 32;

QImage blackSquare()
{
    QImage image(kSide, kSide, QImage::Format_RGB32);
    image.fill(Qt::black);
    return image;
}

/// Returns the share of the lines' pixels that go on one pixel lower to the right.
double shareFallingToTheRight(const QImage& image)
{
    int lines = 0;
    int falling = 0;
    for (int y = 4; y < kSide - 4; ++y)
        for (int x = 4; x < kSide - 4; ++x)
            if (qGray(image.pixel(x, y)) > 0) {
                ++lines;
                falling += qGray(image.pixel(x + 1, y + 1)) > 0 ? 1 : 0;
            }
    return lines == 0 ? 0 : static_cast<double>(falling) / lines;
}

} // namespace

/// Tests of the marks on memory kept from earlier steps, whose lines fall to the right everywhere.
class HatchingTest : public QObject
{
    Q_OBJECT

private slots:
    void theLinesOfAChartFallToTheRight()
    {
        QImage image = blackSquare();
        QPainter painter(&image);
        paintHatching(painter, image.rect(), {});
        painter.end();
        QCOMPARE(shareFallingToTheRight(image), 1.0);
    }

    void theLinesOfAFigureFallToTheRight()
    {
        QImage image = blackSquare();
        QPainter painter(&image);
        paintShapes(painter,
            {FigurePolygon{.points = {{0, 0}, {kSide, 0}, {kSide, kSide}, {0, kSide}}, .hatched = true}});
        painter.end();
        QCOMPARE(shareFallingToTheRight(image), 1.0);
    }
};

HIGHWATER_APP_TEST(HatchingTest)

} // namespace highwater::gui::test

#include "hatching_test.moc"
