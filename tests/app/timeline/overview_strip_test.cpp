#include <QTest>

#include "app/timeline/overview_strip.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

class OverviewStripTest : public QObject
{
    Q_OBJECT

private slots:
    void narrowStepsArePaleAboveTheirLowestPeak()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        const ThemeColors colors = ThemeColors::light();
        const EventScale& scale = analysis->scale(AxisKind::Event);
        VisibleRange range;
        range.setLimits(scale.begin(), scale.end(), 1, 1);
        OverviewStrip strip(range);
        strip.resize(60, 26);
        strip.setEdges(10, 50); // for fifteen steps
        strip.setColors(colors);
        strip.show(analysis, AxisKind::Event);
        const QImage picture = strip.grab().toImage();
        const QColor pale = QColor::fromRgb(
            mixed(colors.reservedEdge.rgb() & 0xffffff, colors.surface.rgb() & 0xffffff, kPaleShare));
        int palePixels = 0;
        for (int x = 12; x < 48; ++x) {
            QCOMPARE(picture.pixelColor(x, 21), colors.reservedEdge);
            for (int y = 4; y < 21; ++y)
                palePixels += picture.pixelColor(x, y) == pale;
        }
        QVERIFY(palePixels > 36);
    }
};

HIGHWATER_APP_TEST(OverviewStripTest)

} // namespace highwater::gui::test

#include "overview_strip_test.moc"
