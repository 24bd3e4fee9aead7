#include "core/analysis/sweep/run_sweep.h"

#include <numeric>

#include <gtest/gtest.h>

#include "importers/registry/open_trace.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/random_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

SweepRun runWithPeak(const std::string& path, Bytes peak, std::optional<Bytes> reserved = std::nullopt)
{
    SweepRun made;
    made.path = path;
    made.peakBytes = peak;
    made.reservedPeakBytes = reserved;
    return made;
}

SweepRun runOf(const Trace& trace)
{
    return sweepRun("a.pickle", DeviceStudy(trace, 0), deviceFigures(trace, 0));
}

std::vector<std::string> rowNames(const RunSweep& sweep)
{
    std::vector<std::string> names;
    for (const SweepRow& row : sweep.rows)
        names.push_back(row.name);
    return names;
}

using RowNames = std::vector<std::string>;
using Positions = std::vector<std::size_t>;

} // namespace

TEST(RunSweep, HasCategoriesThatSumToThePeak)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const auto trace = test::randomTrace(seed);
        const SweepRun run = runOf(*trace);
        EXPECT_EQ(std::accumulate(run.categories.begin(), run.categories.end(), Bytes{0}), run.peakBytes);
    }
}

TEST(RunSweep, HasAnOutlineThatReachesThePeak)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const auto trace = test::randomTrace(seed);
        const SweepRun run = runOf(*trace);
        EXPECT_EQ(run.outline.size(), std::size_t{SweepRun::kOutlineColumns});
        EXPECT_EQ(*std::max_element(run.outline.begin(), run.outline.end()), run.peakBytes);
    }
}

TEST(RunSweep, TellsWhereARunPeaksAndThatItRanOutOfMemory)
{
    const auto trace = openTrace(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {})->trace;
    const SweepRun run = runOf(*trace);
    EXPECT_EQ(run.peakBytes, 24287511136);
    EXPECT_EQ(run.peakEvent, 13340);
    EXPECT_EQ(run.peakStep, "step 14");
    EXPECT_EQ(run.peakPhase, Phase::Forward);
    EXPECT_EQ(run.oomCount, 1);
    ASSERT_EQ(run.oomRanges.size(), 1u);
    EXPECT_LT(run.oomRanges.front(), run.outline.size());
    EXPECT_TRUE(run.reservedPeakBytes.has_value());
}

TEST(RunSweep, ComparesEveryPeakWithTheFirst)
{
    const RunSweep sweep
        = compareSweep({runWithPeak("a", 100), runWithPeak("b", 70), unreadableRun("c", "broken")});
    EXPECT_EQ(sweep.rows[0].deltaBytes, 0);
    EXPECT_EQ(sweep.rows[1].deltaBytes, -30);
    EXPECT_EQ(sweep.rows[2].deltaBytes, std::nullopt);
}

TEST(RunSweep, ComparesEveryPeakWithTheFirstThatDidNotRunOutOfMemory)
{
    SweepRun failed = runWithPeak("a", 100);
    failed.oomCount = 1;
    const RunSweep sweep = compareSweep({unreadableRun("log", "broken"), failed, runWithPeak("b", 70)});
    EXPECT_EQ(sweep.reference, 2u);
    EXPECT_EQ(sweep.rows[1].deltaBytes, 30);
    EXPECT_EQ(compareSweep({unreadableRun("log", "broken"), failed, failed}).reference, 1u);
    EXPECT_EQ(compareSweep({unreadableRun("log", "broken")}).reference, 0u);
}

TEST(RunSweep, ComparesEveryPeakWithTheChosenReference)
{
    const RunSweep sweep
        = compareSweep({runWithPeak("a", 100), runWithPeak("b", 70), runWithPeak("c", 75)}, 1);
    EXPECT_EQ(sweep.reference, 1u);
    EXPECT_EQ(sweep.rows[0].deltaBytes, 30);
    EXPECT_EQ(sweep.rows[1].deltaBytes, 0);
    EXPECT_EQ(sweep.rows[2].deltaBytes, 5);
}

TEST(RunSweep, SaysWhatDiffersMostBetweenTheLowestAndTheHighestPeak)
{
    SweepRun low = runWithPeak("low", 100);
    low.categories = {};
    low.categories[static_cast<std::size_t>(Category::Activation)] = 100;
    SweepRun high = runWithPeak("high", 200);
    high.categories = {};
    high.categories[static_cast<std::size_t>(Category::Activation)] = 40;
    high.categories[static_cast<std::size_t>(Category::Parameter)] = 160;
    EXPECT_EQ(sweepSentences(compareSweep({high, low})).at(1),
        "At its peak, the highest has 160 B more in parameters and 60 B less in activations.");
}

TEST(RunSweep, BeginsWithWhatEachRunAddsAfterTheFirst)
{
    SweepRun failed = runWithPeak("oom", 950);
    failed.oomCount = 1;
    const RunSweep sweep = compareSweep({failed, runWithPeak("a", 451), runWithPeak("b", 616),
        runWithPeak("c", 678), runWithPeak("d", 740), runWithPeak("e", 802)});
    EXPECT_EQ(sweepSentences(sweep).front(), "From b to e, each run peaks 62 B higher than the one before.");
}

TEST(RunSweep, CountsTheFirstRunWhereItGrowsAsTheOthers)
{
    const RunSweep sweep = compareSweep(
        {runWithPeak("a", 100), runWithPeak("b", 200), runWithPeak("c", 300), runWithPeak("d", 400)});
    EXPECT_EQ(sweepSentences(sweep).front(), "From a to d, each run peaks 100 B higher than the one before.");
}

TEST(RunSweep, SaysOfASeriesOfOneProcessWhatEachSnapshotAdds)
{
    std::vector<SweepRun> runs;
    for (int step = 0; step < 7; ++step) {
        const std::string name = "snapshot_step_" + std::to_string(step) + ".pickle.zst";
        const auto trace = openTrace(test::samplePath("runs/series-one-process/" + name), {})->trace;
        runs.push_back(sweepRun(name, DeviceStudy(*trace, 0), deviceFigures(*trace, 0)));
    }
    EXPECT_EQ(sweepSentences(compareSweep(std::move(runs))).front(),
        "From snapshot_step_1.pickle.zst to snapshot_step_6.pickle.zst, each run peaks 62.5 MiB higher than "
        "the one before.");
}

TEST(RunSweep, TellsNoGrowthOfRunsThatDoNotGrowAlike)
{
    for (const std::vector<Bytes>& peaks : {std::vector<Bytes>{100, 200, 300, 350, 450},
             std::vector<Bytes>{100, 100, 100, 100}, std::vector<Bytes>{400, 300, 200, 100}}) {
        std::vector<SweepRun> runs;
        for (const Bytes peak : peaks)
            runs.push_back(runWithPeak(std::to_string(runs.size()), peak));
        for (const std::string& sentence : sweepSentences(compareSweep(std::move(runs))))
            EXPECT_FALSE(test::hasParts(sentence, {"than the one before"})) << sentence;
    }
}

TEST(RunSweep, SaysWhoPeaksLowestAndHighestAndWhoHasNoFigures)
{
    SweepRun failed = runWithPeak("high", 200);
    failed.oomCount = 1;
    const RunSweep sweep = compareSweep({runWithPeak("low", 100), failed, unreadableRun("c", "broken")});
    const std::vector<std::string> sentences = sweepSentences(sweep);
    ASSERT_EQ(sentences.size(), 3u);
    EXPECT_TRUE(test::hasParts(sentences[0], {"100 B, low", "200 B, high (+100%)"}));
    EXPECT_TRUE(test::hasParts(sentences[1], {"out of memory", "high (1 of 3)"}));
    EXPECT_TRUE(test::hasParts(sentences[2], {"c (1 of 3)"}));
    EXPECT_EQ(highestPeak(sweep), 200);
    EXPECT_TRUE(sweepSentences(compareSweep({runWithPeak("alone", 1)})).empty());
}

TEST(RunSweep, TellsNoExtremesOfDifferentBytes)
{
    SweepRun other = runWithPeak("b", 50);
    other.quantity = Quantity::Reserved;
    const RunSweep sweep = compareSweep({runWithPeak("a", 100), other});
    EXPECT_EQ(sweep.rows[1].deltaBytes, std::nullopt);
    const std::vector<std::string> sentences = sweepSentences(sweep);
    ASSERT_EQ(sentences.size(), 1u);
    EXPECT_TRUE(test::hasParts(sentences[0], {"different bytes"}));
}

TEST(RunSweep, NamesAtMostThreeRuns)
{
    EXPECT_EQ(namesText({"a", "b"}), "a, b");
    EXPECT_EQ(namesText({"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
}

TEST(RunSweep, TakesNoDifferenceToARunThatCannotBeRead)
{
    EXPECT_EQ(compareSweep({unreadableRun("c", "broken"), runWithPeak("a", 100)}, 0).rows[1].deltaBytes,
        std::nullopt);
}

TEST(RunSweep, NamesRunsByWhatTellsTheirPathsApart)
{
    EXPECT_EQ(rowNames(compareSweep({runWithPeak("/s/one/x.pickle", 1), runWithPeak("/s/two/x.pickle", 1),
                  runWithPeak("/s/y", 1)})),
        (RowNames{"one/x.pickle", "two/x.pickle", "y"}));
    EXPECT_EQ(rowNames(compareSweep({runWithPeak("x", 1), runWithPeak("x", 1)})), (RowNames{"x", "x"}));
    EXPECT_EQ(rowNames(compareSweep({runWithPeak("/x", 1), runWithPeak("a/x", 1)})), (RowNames{"/x", "a/x"}));
}

TEST(RunSweep, NamesManyRunsWithoutComparingEachWithEach)
{
    std::vector<SweepRun> runs;
    for (int i = 0; i < 100'000; ++i)
        runs.push_back(runWithPeak("/sweep/run" + std::to_string(i) + "/snapshot.pickle", 1));
    const RunSweep sweep = compareSweep(std::move(runs));
    EXPECT_EQ(sweep.rows[99'999].name, "run99999/snapshot.pickle");
}

TEST(RunSweep, IsSortedByAnyFigure)
{
    const RunSweep sweep = compareSweep({runWithPeak("b", 20, 90), unreadableRun("z", "broken"),
        runWithPeak("a", 30), runWithPeak("c", 20, 95)});
    EXPECT_EQ(sortedRows(sweep, SweepOrder::Given), (Positions{0, 1, 2, 3}));
    EXPECT_EQ(sortedRows(sweep, SweepOrder::Peak), (Positions{2, 0, 3, 1}));
    EXPECT_EQ(sortedRows(sweep, SweepOrder::Name), (Positions{2, 0, 3, 1}));
    EXPECT_EQ(sortedRows(sweep, SweepOrder::Reserved), (Positions{3, 0, 1, 2}));
    EXPECT_EQ(sortedRows(sweep, SweepOrder::Delta), (Positions{2, 0, 3, 1}));
}

TEST(RunSweep, CountsAllocatedBytesWhereSomeRunsTellNothingElse)
{
    SweepRun requested = runWithPeak("a", 1);
    SweepRun allocated = runWithPeak("b", 1);
    allocated.quantity = Quantity::Allocated;
    allocated.hasAllocatedBytes = true;
    EXPECT_EQ(commonQuantity({requested, requested}), Quantity::Requested);
    EXPECT_EQ(commonQuantity({requested, allocated}), std::nullopt);
    requested.hasAllocatedBytes = true;
    EXPECT_EQ(commonQuantity({requested, allocated}), Quantity::Allocated);
    EXPECT_EQ(commonQuantity({unreadableRun("c", "broken"), allocated}), Quantity::Allocated);
}

TEST(RunSweep, ListsTheSettingsThatNotAllRunsHaveAlike)
{
    SweepRun one = runWithPeak("a", 1);
    one.settings[1] = {{"batch", "1"}, {"seed", "7"}};
    SweepRun other = runWithPeak("b", 1);
    other.settings[1] = {{"batch", "2"}, {"seed", "7"}};
    SweepRun third = runWithPeak("c", 1);
    third.settings[1] = {{"seed", "7"}};
    const std::vector<SettingOfRuns> expected = {{"batch", {"1", "2", "", std::nullopt}}};
    EXPECT_EQ(compareSweep({one, other, third, runWithPeak("d", 1)}).settings, expected);
    EXPECT_TRUE(compareSweep({one, runWithPeak("d", 1)}).settings.empty());
}

TEST(RunSweep, CondensesAnOutlineToItsMaxima)
{
    EXPECT_EQ(maximaOfParts({1, 5, 2, 2, 9, 3}, 3), (std::vector<Bytes>{5, 2, 9}));
    EXPECT_EQ(maximaOfParts({1, 5}, 3), (std::vector<Bytes>{1, 5}));
}

} // namespace highwater
