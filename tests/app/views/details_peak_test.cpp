#include <QTest>

#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/details_panel.h"
#include "app/workspace/view/selection.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of what Details show while no allocation is selected.
class DetailsPeakTest : public QObject
{
    Q_OBJECT

private slots:
    void thePeakHasItsBytesAndItsAllocationsUnderTheirNames()
    {
        const auto analysis = mainAnalysis(QStringLiteral("tiny-hand-checked"));
        Selection selection;
        DetailsPanel panel(selection);
        panel.resize(300, 500);
        panel.show(analysis);
        panel.QWidget::show();
        const auto* sheet = panel.findChild<FactSheet*>(QStringLiteral("facts"));
        QStringList texts;
        for (const QRect& rect : sheet->lineRects())
            texts << sheet->textAt(rect.center());
        QVERIFY2(texts.contains(QStringLiteral("bytes")), qPrintable(texts.join(QLatin1Char('|'))));
        const qsizetype allocations = texts.indexOf(QStringLiteral("allocations"));
        QVERIFY2(allocations >= 0, qPrintable(texts.join(QLatin1Char('|'))));
        QCOMPARE(texts.value(allocations + 1), QString::number(analysis->figures.peakBlocks));
        QVERIFY(!texts.contains(QStringLiteral("in use")) && !texts.contains(QStringLiteral("requested")));
    }
};

HIGHWATER_APP_TEST(DetailsPeakTest)

} // namespace highwater::gui::test

#include "details_peak_test.moc"
