#include <algorithm>

#include <QHash>
#include <QTest>

#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/detail_paragraphs.h"
#include "app/views/side_panel/details_panel.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/selection.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of what Details show while no allocation is selected.
class DetailsPeakTest : public QObject
{
    Q_OBJECT

private:
    static std::vector<Paragraph> shownOf(const std::shared_ptr<const DeviceAnalysis>& analysis)
    {
        Selection selection;
        DetailsPanel panel(selection);
        panel.resize(300, 500);
        panel.show(analysis);
        panel.QWidget::show();
        return panel.findChild<FactSheet*>(QStringLiteral("facts"))->paragraphs();
    }

private slots:
    void withoutASelectionTheyBeginWithThePeak()
    {
        const std::vector<Paragraph> shown = shownOf(mainAnalysis(QStringLiteral("training-6-steps-bare")));
        QVERIFY(!shown.empty());
        QCOMPARE(shown.front().text, QStringLiteral("Peak"));
        QVERIFY(shown.back().text.endsWith(QStringLiteral("Click to pin it.")));
    }

    void theHintEndsWithTheFirstPin()
    {
        const auto analysis = mainAnalysis(QStringLiteral("tiny-hand-checked"));
        Selection selection;
        selection.pin(0);
        selection.release();
        for (const Paragraph& paragraph : selectionParagraphs(*analysis, selection, nullptr))
            QVERIFY2(!paragraph.text.contains(QStringLiteral("to pin")), qPrintable(paragraph.text));
    }

    void theCategoriesInUseAreThoseOfThePeak()
    {
        const auto analysis = mainAnalysis(QStringLiteral("training-6-steps-bare"));
        std::vector<Paragraph> shown = shownOf(analysis);
        const auto heading = std::ranges::find(shown, QStringLiteral("In use at the peak"), &Paragraph::text);
        QVERIFY(heading != shown.end());
        QStringList names;
        for (auto fact = heading + 1; fact != shown.end() && fact->kind == Paragraph::Kind::Fact; ++fact)
            names << fact->name + QLatin1Char(' ') + fact->text;
        QStringList expected;
        for (const BandGroup& group : analysis->categoryGroups->groups)
            if (group.bytesAtPeak > 0)
                expected << QString::fromStdString(group.label) + QLatin1Char(' ')
                        + bytesText(group.bytesAtPeak);
        QCOMPARE(names, expected);
    }

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

    void highlightedAllocationsHaveTheirBytesAtTheShownMoment()
    {
        const auto analysis = mainAnalysis(QStringLiteral("tiny-hand-checked"));
        constexpr std::int64_t event = 4;
        Selection selection;
        selection.setCursor(event);
        selection.setHighlight({std::make_shared<const std::vector<bool>>(analysis->allocations.size(), true),
            QStringLiteral("all")});
        DetailsPanel panel(selection);
        panel.resize(300, 500);
        panel.show(analysis);
        panel.QWidget::show();
        QHash<QString, QString> facts;
        for (const Paragraph& fact : panel.findChild<FactSheet*>(QStringLiteral("facts"))->paragraphs())
            facts.insert(fact.name, fact.text);
        QCOMPARE(facts.value(QStringLiteral("after event 4")), bytesText(analysis->curve.at(event)));
        QCOMPARE(facts.value(QStringLiteral("at the run's peak")), bytesText(analysis->figures.peakBytes));
    }
};

HIGHWATER_APP_TEST(DetailsPeakTest)

} // namespace highwater::gui::test

#include "details_peak_test.moc"
