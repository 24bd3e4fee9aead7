#include <QTest>

#include "app/workspace/view/context_entries.h"
#include "app/workspace/view/selected_events.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

/// Three steps of ten events each.
StepTable threeSteps()
{
    StepTable table;
    table.source = StepSource::Manual;
    for (int i = 0; i < 3; ++i) {
        Step step;
        step.name = "step " + std::to_string(i);
        step.begin = i * 10;
        step.end = (i + 1) * 10;
        table.steps.push_back(step);
    }
    return table;
}

template <typename Command>
QStringList textsOf(const std::vector<ContextEntry<Command>>& entries)
{
    QStringList texts;
    for (const ContextEntry<Command>& entry : entries)
        texts << entry.text;
    return texts;
}

/// Returns the first allocation whose call site is a line of Python.
AllocationIndex placedAllocation(const DeviceAnalysis& analysis)
{
    AllocationIndex index = 0;
    while (placeOf(analysis, index).isEmpty())
        ++index;
    return index;
}

} // namespace

class ContextEntriesTest : public QObject
{
    Q_OBJECT

private slots:
    void aStepIsOfferedToBeSelectedZoomedToAndExamined()
    {
        QCOMPARE(textsOf(stepEntries(threeSteps(), 2, std::nullopt)),
            (QStringList{"Select step 2", "Zoom to step 2", "Compare with step 1", "Compare with step 0",
                "What step 2 left behind", "Largest allocation at the peak of step 2",
                "Add a note on step 2"}));
    }

    void anotherStepThanTheSelectedOneIsComparedWithIt()
    {
        QVERIFY(textsOf(stepEntries(threeSteps(), 2, 0)).contains("Compare with step 0"));
    }

    void theSelectedStepIsComparedWithItsNeighboursAndTheHighest()
    {
        StepTable table = threeSteps();
        QCOMPARE(comparableSteps(table, 1, 1), (std::vector<std::size_t>{0, 2}));
        table.steps[2].peakBytes = 7;
        QCOMPARE(comparableSteps(table, 0, 0), (std::vector<std::size_t>{1, 2}));
        QCOMPARE(comparableSteps(table, 0, 2), (std::vector<std::size_t>{2, 1}));
    }

    void anAmpersandInANameIsNoKey()
    {
        StepTable table = threeSteps();
        table.steps[0].name = "warm & cold";
        QCOMPARE(stepEntries(table, 0, std::nullopt).front().text, QStringLiteral("Select warm && cold"));
    }

    void aBandOffersWhatBelongsToIt()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        const AllocationIndex index = placedAllocation(*analysis);
        const QString site = QString::fromStdString(analysis->sites.site(analysis->sites.of(index)).label);
        QCOMPARE(textsOf(bandEntries({*analysis, index})),
            (QStringList{"Pin this allocation", "Highlight call site " + site,
                "Copy " + placeOf(*analysis, index).section('/', -1), "Show in Moment at this event"}));
    }

    void aPinnedBandIsNotOfferedToBePinned()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        QVERIFY(!textsOf(bandEntries({*analysis, 0, true})).contains("Pin this allocation"));
    }

    void withoutOtherViewsABandIsOnlyPinnedAndCopied()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        QCOMPARE(bandEntries({*analysis, placedAllocation(*analysis), false, false}).size(), std::size_t{2});
    }

    void aPlaceEndsWithItsLine()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        const QString place = placeOf(*analysis, placedAllocation(*analysis));
        QVERIFY2(place.section(':', -1).toInt() > 0, qPrintable(place));
    }

    void theMarkedStepIsSelectedEvenIfItsPeakIsTheEventBeforeIt()
    {
        const auto analysis = mainAnalysis("training-6-steps-annotated");
        const Step& step = analysis->steps.steps[2];
        Selection selection;
        QVERIFY(!selectedStep(*analysis, selection));
        selection.setCursor(step.begin - 1);
        QCOMPARE(selectedStep(*analysis, selection), std::optional<std::size_t>(1));
        selection.setRange(Selection::EventRange{step.begin, step.end});
        QCOMPARE(selectedStep(*analysis, selection), std::optional<std::size_t>(2));
    }

    void thePinnedLifeComesBeforeTheRangeAndTheRangeBeforeTheStep()
    {
        const auto analysis = mainAnalysis("training-6-steps-annotated");
        const Step& step = analysis->steps.steps[2];
        Selection selection;
        QVERIFY(!selectedEvents(*analysis, selection));
        selection.setCursor(step.begin);
        QCOMPARE(
            selectedEvents(*analysis, selection), std::optional(Selection::EventRange{step.begin, step.end}));
        selection.setRange(Selection::EventRange{7, 30});
        QCOMPARE(selectedEvents(*analysis, selection), std::optional(Selection::EventRange{7, 30}));
        AllocationIndex freed = 0;
        while (analysis->allocations.birth(freed) < 0
            || analysis->allocations.death(freed) == AllocationTable::kNeverFreed)
            ++freed;
        selection.pin(freed);
        QCOMPARE(selectedEvents(*analysis, selection),
            std::optional(Selection::EventRange{
                analysis->allocations.birth(freed), analysis->allocations.death(freed) + 1}));
    }
};

HIGHWATER_APP_TEST(ContextEntriesTest)

} // namespace highwater::gui::test

#include "context_entries_test.moc"
