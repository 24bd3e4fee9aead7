#include <algorithm>

#include <QTest>

#include "app/views/steps/step_chart.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

class StepChartTest : public QObject
{
    Q_OBJECT

private slots:
    void theAxisBeginsNearTheLowestPeakOnDemandAndSaysSo()
    {
        StepChart chart;
        chart.resize(600, 300);
        chart.setAnalysis(mainAnalysis("fault-growth"));
        QVERIFY(chart.hasSmallDifferences());
        const auto topOf = [&](int step) {
            double top = chart.height();
            for (const FigureShape& shape : chart.figure().shapes)
                if (const auto* part = std::get_if<FigureRect>(&shape); part && part->opacity > 0
                    && QString::fromStdString(part->title).startsWith(QStringLiteral("step %1:").arg(step)))
                    top = std::min(top, part->y);
            return top;
        };
        const double before = topOf(1) - topOf(7);
        chart.setShowsDifferences(true);
        QVERIFY(topOf(1) - topOf(7) > 1.5 * before);
        QVERIFY2(chart.keyText().contains(QStringLiteral("the axis begins at")), qPrintable(chart.keyText()));
    }
};

HIGHWATER_APP_TEST(StepChartTest)

} // namespace highwater::gui::test

#include "step_chart_test.moc"
