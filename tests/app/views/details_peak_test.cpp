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
        QStringList names;
        QString allocations;
        for (const Paragraph& fact : sheet->paragraphs()) {
            names << fact.name;
            if (fact.name == QStringLiteral("allocations"))
                allocations = fact.text;
        }
        QVERIFY2(names.contains(QStringLiteral("bytes")), qPrintable(sheet->plainText()));
        QCOMPARE(allocations, QString::number(analysis->figures.peakBlocks));
        QVERIFY(!names.contains(QStringLiteral("in use")) && !names.contains(QStringLiteral("requested")));
    }
};

HIGHWATER_APP_TEST(DetailsPeakTest)

} // namespace highwater::gui::test

#include "details_peak_test.moc"
