#include <algorithm>
#include <iterator>

#include <QHash>
#include <QTest>

#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/detail_paragraphs.h"
#include "app/views/side_panel/details_panel.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/selection.h"
#include "app/workspace/view/selection_text.h"
#include "core/analysis/composition/site_totals.h"
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

    static void showPanel(DetailsPanel& panel, const std::shared_ptr<const DeviceAnalysis>& analysis)
    {
        panel.resize(300, 800);
        panel.show(analysis);
        panel.QWidget::show();
    }
    static void highlightAll(Selection& selection, const DeviceAnalysis& analysis)
    {
        selection.setCursor(analysis.figures.peakEvent);
        selection.setHighlight({std::make_shared<const std::vector<bool>>(analysis.allocations.size(), true),
            QStringLiteral("all")});
    }
    static FactSheet& factsOf(const DetailsPanel& panel)
    {
        return *panel.findChild<FactSheet*>(QStringLiteral("facts"));
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

    void aRangeIsLeftToItsPanel()
    {
        Selection selection;
        selection.setRange(Selection::EventRange{4, 11}, QStringLiteral("generation"));
        const auto analysis = mainAnalysis(QStringLiteral("tiny-hand-checked"));
        QVERIFY(selectionParagraphs(*analysis, selection, nullptr).empty());
        QCOMPARE(selectionText(*analysis, selection), QStringLiteral("generation, events 4 – 10"));
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
        QCOMPARE(allocations, QString::number(analysis->figures.peakLiveCount));
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

    void aPartOfACallSiteIsNotTitledAsAllOfIt()
    {
        const auto analysis = mainAnalysis(QStringLiteral("training-6-steps-bare"));
        const SiteId site = analysis->sites.of(AllocationIndex{0});
        std::vector<bool> members(analysis->allocations.size());
        members[0] = true;
        std::int64_t allOfSite = 0;
        for (AllocationIndex i = 0; i < members.size(); ++i)
            allOfSite += analysis->sites.of(i) == site ? 1 : 0;
        QVERIFY(allOfSite > 1);
        const QString name = toQString(analysis->sites.site(site).label);
        Selection selection;
        selection.setHighlight({std::make_shared<const std::vector<bool>>(std::move(members)), name});
        QCOMPARE(selectionParagraphs(*analysis, selection, nullptr).front().text,
            QStringLiteral("1 of %1 of %2").arg(countedText(allOfSite, "allocation", "allocations"), name));
    }

    void highlightedAllocationsHaveTheirCallSites_theLargestFirst()
    {
        const auto analysis = mainAnalysis(QStringLiteral("fault-growth"));
        Selection selection;
        highlightAll(selection, *analysis);
        DetailsPanel panel(selection);
        showPanel(panel, analysis);
        const std::vector<SiteTotal> totals
            = siteTotalsAt(analysis->live, analysis->sites, analysis->figures.peakEvent);
        QVERIFY(totals.size() > 1);
        std::vector<Paragraph> links;
        std::ranges::copy_if(factsOf(panel).paragraphs(), std::back_inserter(links),
            [](const Paragraph& paragraph) { return !paragraph.linkTip.isEmpty(); });
        QCOMPARE(links.size(), std::min<std::size_t>(totals.size(), 8));
        for (std::size_t i = 0; i < links.size(); ++i) {
            QCOMPARE(links[i].name, bytesText(totals[i].bytes));
            QCOMPARE(links[i].text, toQString(analysis->sites.site(totals[i].site).label));
        }
    }

    void aClickOnACallSiteShowsItsStack()
    {
        const auto analysis = mainAnalysis(QStringLiteral("fault-growth"));
        Selection selection;
        highlightAll(selection, *analysis);
        DetailsPanel panel(selection);
        showPanel(panel, analysis);
        const std::vector<SiteTotal> totals
            = siteTotalsAt(analysis->live, analysis->sites, analysis->figures.peakEvent);
        FactSheet& sheet = factsOf(panel);
        QTest::mouseClick(&sheet, Qt::LeftButton, {}, sheet.linkRect(1).center());
        QVERIFY(
            sheet.paragraphs().back().text.startsWith(toQString(analysis->sites.site(totals[1].site).label)));
        QTest::keyClick(&sheet, Qt::Key_Up);
        QTest::keyClick(&sheet, Qt::Key_Return);
        QVERIFY(
            sheet.paragraphs().back().text.startsWith(toQString(analysis->sites.site(totals[0].site).label)));
    }
};

HIGHWATER_APP_TEST(DetailsPeakTest)

} // namespace highwater::gui::test

#include "details_peak_test.moc"
