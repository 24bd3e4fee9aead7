#include "app/timeline/parts/pixel_steps.h"

#include <algorithm>

#include <QTest>

#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

class PixelStepsTest : public QObject
{
    Q_OBJECT

private slots:
    void aLevelHasOneBox()
    {
        const auto boxes = boxesAround(PixelSteps(0, 50).endAt(100), kArea);
        QCOMPARE(boxes.size(), 1u);
        QVERIFY(boxes.front().contains(QRectF(0, 49.5, 100, 1)));
    }

    void everyStrokeInsideIsCovered()
    {
        PixelSteps steps(0, 90);
        for (int x = 1; x < 100; ++x)
            steps.stepTo(x, 90 - x % 7 * 10);
        const StepLine line = steps.endAt(100);
        const auto boxes = boxesAround(line, kArea);
        for (const QVector<QLineF>& strokes : {line.levels, line.jumps})
            for (const QLineF& stroke : strokes)
                QVERIFY(std::ranges::any_of(boxes, [&](const QRectF& box) {
                    return box.contains(stroke.center()) && box.contains(stroke.p1());
                }));
    }

    void aLabelThatRestsOnALevelIsFree()
    {
        for (const QRectF& box : boxesAround(PixelSteps(0, 50).endAt(100), kArea))
            QVERIFY(!box.intersects(QRectF(10, 34, 40, 15)));
    }

    void strokesOutsideHaveNoBox()
    {
        QVERIFY(boxesAround(PixelSteps(0, -20).endAt(100), kArea).empty());
        QVERIFY(boxesAround(PixelSteps(0, 50).endAt(100), {}).empty());
    }

private:
    static constexpr QRectF kArea{0, 0, 100, 100};
};

HIGHWATER_APP_TEST(PixelStepsTest)

} // namespace highwater::gui::test

#include "pixel_steps_test.moc"
