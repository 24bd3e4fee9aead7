#include <QSignalSpy>
#include <QTest>

#include "app/workspace/view/allocation_search.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

constexpr AllocationIndex kNone = AllocationSearch::kNone;

/// Waits for the result and returns its matches.
std::vector<AllocationIndex> matchesOf(AllocationSearch& search)
{
    if (!QTest::qWaitFor([&] { return !search.isBusy(); }) || !search.result())
        return {};
    std::vector<AllocationIndex> matches;
    for (AllocationIndex i = 0; i < search.result()->matches.size(); ++i)
        if (search.result()->matches[i])
            matches.push_back(i);
    return matches;
}

using Matches = std::vector<AllocationIndex>;

} // namespace

class AllocationSearchTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_tiny = mainAnalysis("tiny-hand-checked"); }

    void sizesAndLifetimesAgreeWithTheHandCheckedFile()
    {
        AllocationSearch search;
        search.setAnalysis(m_tiny);
        search.setText("size>=4MiB");
        QCOMPARE(matchesOf(search), (Matches{0, 4, 5, 6}));
        QCOMPARE(search.result()->count, 4);
        QCOMPARE(search.result()->bytes, 25165824);
        search.setText("life<5");
        QCOMPARE(matchesOf(search), (Matches{3, 7, 8}));
        QCOMPARE(search.result()->bytes, 1356290);
    }

    void anAddressFindsAllThatHadIt()
    {
        AllocationSearch search;
        search.setAnalysis(m_tiny);
        search.setText("0x7f3a00400000");
        QCOMPARE(matchesOf(search), (Matches{2, 6}));
    }

    void aWindowFollowsTheView()
    {
        AllocationSearch search;
        search.setAnalysis(m_tiny);
        search.setView(4, 11);
        QVERIFY(!search.isBusy()); // any view finishes the search
        search.setWindow(FilterSpec::Window::BornIn);
        QCOMPARE(matchesOf(search), (Matches{2, 3, 4, 5}));
        search.setView(0, 4);
        QCOMPARE(matchesOf(search), (Matches{0, 1}));
        search.setWindow(FilterSpec::Window::LiveIn, 9, 10);
        QCOMPARE(matchesOf(search), (Matches{0, 1, 2, 4}));
    }

    void fromMatchToMatchGoesFromTheLargestRoundTheEnd()
    {
        AllocationSearch search;
        search.setAnalysis(m_tiny);
        search.setText("life<5");
        QCOMPARE(matchesOf(search).size(), 3);
        QCOMPARE(search.next(kNone), 8u); // 1,048,577 B
        QCOMPARE(search.next(8), 3u); // 307,200 B
        QCOMPARE(search.next(3), 7u); // 513 B
        QCOMPARE(search.next(7), 8u);
        QCOMPARE(search.previous(kNone), 7u);
        QCOMPARE(search.previous(3), 8u);
        search.setText("size>=1GiB");
        QVERIFY(matchesOf(search).empty());
        QCOMPARE(search.result()->count, 0);
        QCOMPARE(search.next(kNone), kNone);
        QCOMPARE(search.previous(kNone), kNone);
    }

    void matchesOfOneSizeKeepTheOrderOfTheTable()
    {
        AllocationSearch search;
        search.setAnalysis(m_tiny);
        search.setText("size=4MiB");
        QCOMPARE(matchesOf(search), (Matches{0, 5, 6}));
        QCOMPARE(search.next(kNone), 0u);
        QCOMPARE(search.next(0), 5u);
        QCOMPARE(search.previous(0), 6u);
    }

    void aMatchIsNumberedByItsSize()
    {
        AllocationSearch search;
        search.setAnalysis(m_tiny);
        search.setText("life<5");
        QCOMPARE(matchesOf(search).size(), 3);
        QCOMPARE(search.numberOf(8), 1);
        QCOMPARE(search.numberOf(7), 3);
        QCOMPARE(search.numberOf(5), 0);
        QCOMPARE(search.numberOf(kNone), 0);
    }

    void onlyTheNewestQuestionIsAnswered()
    {
        const auto analysis = mainAnalysis("training-6-steps-annotated");
        AllocationSearch search;
        search.setAnalysis(analysis);
        for (const char* text : {"b", "ba", "bac", "back", "backw", "backward"})
            search.setText(text);
        QVERIFY(search.isBusy());
        matchesOf(search);
        QCOMPARE(search.result()->count, 534);
        QCOMPARE(search.result()->bytes, 1763512344);
    }

    void whatIsNotUnderstoodIsSaidInASentence()
    {
        AllocationSearch search;
        search.setAnalysis(m_tiny);
        search.setText("size>=lots");
        QVERIFY(!search.isBusy() && !search.result());
        QVERIFY(search.error().startsWith(QStringLiteral("\"lots\" is not a size")));
        search.setText("/(/");
        QVERIFY(matchesOf(search).empty() && !search.result());
        QVERIFY(search.error().startsWith("/(/ is not a regular expression: "));
        search.setText("step");
        QCOMPARE(matchesOf(search).size(), 6);
        QVERIFY(search.error().isEmpty());
    }

    void clearingEndsTheSearchWhileItRuns()
    {
        AllocationSearch search;
        search.setAnalysis(m_tiny);
        search.setWindow(FilterSpec::Window::BornIn, 0, 4);
        search.setText("step");
        QSignalSpy changes(&search, &AllocationSearch::changed);
        search.clear();
        QVERIFY(!search.isBusy() && !search.result() && search.text().isEmpty());
        QCOMPARE(search.window(), FilterSpec::Window::Anywhere);
        QCOMPARE(changes.count(), 1);
        search.setText("life<5"); // replaces the previous, dropped search
        QCOMPARE(matchesOf(search), (Matches{3, 7, 8}));
    }

    void anotherDeviceIsAskedTheSame()
    {
        const auto document = loadSample("two-devices");
        AllocationSearch search;
        search.setText("size>=1MiB");
        QVERIFY(!search.isBusy() && !search.result()); // there is nothing to search
        for (const auto& device : document->devices) {
            search.setAnalysis(device);
            QVERIFY(!search.result());
            matchesOf(search);
            const auto expected = filterAllocations(
                device->allocations, device->categories, parseFilter("size>=1MiB").value());
            QCOMPARE(search.result()->bytes, expected->bytes);
            QCOMPARE(search.result()->matches.size(), device->allocations.size());
        }
        search.setAnalysis(nullptr);
        QVERIFY(!search.isBusy() && !search.result());
    }

private:
    std::shared_ptr<const DeviceAnalysis> m_tiny;
};

HIGHWATER_APP_TEST(AllocationSearchTest)

} // namespace highwater::gui::test

#include "allocation_search_test.moc"
