#include "core/run/choice/main_choice.h"

#include <gtest/gtest.h>

#include "tests/support/program/has_parts.h"

namespace highwater {

namespace {

MainCandidate recording(std::int64_t rank, Bytes peak)
{
    return {{"rank" + std::to_string(rank), rank, {}, {}}, FileContent::Allocations, false, {}, peak, {}};
}

MainCandidate failed(std::int64_t rank, Bytes peak, std::optional<Nanoseconds> time = {},
    std::optional<std::int64_t> step = {})
{
    MainCandidate file = recording(rank, peak);
    file.ranOutOfMemory = true;
    file.failure = {time, step};
    return file;
}

MainCandidate dump(std::int64_t rank, std::int64_t step, Bytes peak)
{
    MainCandidate file = recording(rank, peak);
    file.member.step = step;
    file.member.path += "_step" + std::to_string(step);
    return file;
}

using Chosen = std::pair<std::size_t, MainReason>;

std::optional<Chosen> chosen(const std::optional<MainChoice>& choice)
{
    return choice ? std::optional(Chosen(choice->file, choice->reason)) : std::nullopt;
}

} // namespace

TEST(ChooseMain, TakesTheRankThatRanOutOfMemoryBeforeTheHighestPeak)
{
    const std::vector<MainCandidate> files{recording(0, 90), failed(1, 50), recording(2, 95)};
    EXPECT_EQ(chosen(chooseMain(files)), Chosen(1, MainReason::FailedFirst));
}

TEST(ChooseMain, TakesOfSeveralFailuresTheEarliest)
{
    const std::vector<MainCandidate> byTime{failed(0, 90, 2'000, 1), failed(1, 50, 1'000, 7)};
    EXPECT_EQ(chosen(chooseMain(byTime)), Chosen(1, MainReason::FailedFirst));
    const std::vector<MainCandidate> byStep{failed(0, 90, {}, 5), failed(1, 50, 1'000, 3)};
    EXPECT_EQ(chosen(chooseMain(byStep)), Chosen(1, MainReason::FailedFirst)) << "one has no time";
    const std::vector<MainCandidate> byRank{failed(1, 90), failed(0, 50, 1'000)};
    EXPECT_EQ(chosen(chooseMain(byRank)), Chosen(1, MainReason::FailedFirst)) << "nothing orders them";
}

TEST(ChooseMain, TakesElseTheHighestPeakAndOfEqualOnesTheLowestRank)
{
    const std::vector<MainCandidate> files{recording(2, 80), recording(1, 80), recording(0, 70)};
    EXPECT_EQ(chosen(chooseMain(files)), Chosen(1, MainReason::LargestPeak));
}

TEST(ChooseMain, PrefersRecordingsToFiguresAndFiguresToLogs)
{
    MainCandidate log{{"train.log", {}, {}, {}}, FileContent::Messages, true, {}, 900};
    MainCandidate driver{{"run.sqlite", {}, {}, {}}, FileContent::Devices, false, {}, 800};
    EXPECT_EQ(chosen(chooseMain(std::vector{log, driver, recording(0, 1)})), Chosen(2, MainReason::Only));
    EXPECT_EQ(chosen(chooseMain(std::vector{log, driver})), Chosen(1, MainReason::Only));
    EXPECT_EQ(chosen(chooseMain(std::vector{log})), Chosen(0, MainReason::Only));
    EXPECT_EQ(chooseMain(std::vector{MainCandidate()}), std::nullopt);
}

TEST(ChooseMain, LetsTheLastDumpThatFailedStandForItsRank)
{
    std::vector<MainCandidate> files{dump(0, 10, 90), dump(0, 20, 40), dump(0, 30, 60), recording(1, 99)};
    for (const std::size_t i : {1, 2}) {
        files[i].ranOutOfMemory = true;
        files[i].failure.time = static_cast<Nanoseconds>(1'000 * i);
    }
    EXPECT_EQ(chosen(chooseMain(files)), Chosen(2, MainReason::FailedFirst));
}

TEST(ChooseMain, OrdersRanksByTheirFirstFailureWhicheverDumpIsShown)
{
    std::vector<MainCandidate> files{dump(0, 10, 1), dump(0, 20, 1), failed(1, 1, 2'000)};
    for (const std::size_t i : {0, 1}) {
        files[i].ranOutOfMemory = true;
        files[i].failure.time = static_cast<Nanoseconds>(1'000 + 2'000 * i);
    }
    EXPECT_EQ(chosen(chooseMain(files)), Chosen(1, MainReason::FailedFirst)) << "rank 0 failed at 1,000";
}

TEST(ChooseMain, TakesTheRankThatTheUserNames)
{
    const std::vector<MainCandidate> files{failed(0, 90), recording(1, 50)};
    EXPECT_EQ(chosen(chooseMain(files, 1)), Chosen(1, MainReason::Chosen));
    EXPECT_EQ(chooseMain(files, 7), std::nullopt);
    EXPECT_EQ(noSuchRank(7, files).message, "there is no rank 7 (there are: 0, 1)");
}

TEST(IncrementalMainChoice, EndsWithTheChoiceOfAllFiles)
{
    std::vector<MainCandidate> files{dump(0, 10, 1), failed(1, 1, 2'000), dump(0, 20, 1)};
    files[0].ranOutOfMemory = files[2].ranOutOfMemory = true;
    files[0].failure.time = 1'000;
    files[2].failure.time = 3'000;
    IncrementalMainChoice keeper;
    for (const MainCandidate& file : files)
        keeper.add(file);
    EXPECT_EQ(keeper.choice(), chooseMain(files));
}

TEST(IncrementalMainChoice, HoldsTheFileThatTheUserNames)
{
    IncrementalMainChoice keeper({}, "rank1");
    EXPECT_EQ(keeper.add(failed(0, 90)), 0u);
    EXPECT_EQ(keeper.add(recording(1, 10)), 1u);
    EXPECT_EQ(keeper.add(failed(2, 99)), 1u);
    EXPECT_EQ(chosen(keeper.choice()), Chosen(1, MainReason::Chosen));
}

TEST(MainText, SaysWhichRankAndWhy)
{
    const std::vector<MainCandidate> files{recording(0, 90), failed(1, 50), recording(2, 95)};
    EXPECT_EQ(mainText(runMain(files, *chooseMain(files))), "rank 1 (of 3 ranks), which ran out of memory");
    const std::vector<MainCandidate> several{recording(0, 90), failed(1, 50), failed(2, 95)};
    EXPECT_EQ(mainText(runMain(several, *chooseMain(several))),
        "rank 1 (of 3 ranks), which ran out of memory first");
    EXPECT_EQ(mainText(runMain(files, *chooseMain(files, 2))), "rank 2 (of 3 ranks), as chosen");
    EXPECT_EQ(mainText(runMain({files[0]}, *chooseMain(std::vector{files[0]}))), "");
}

} // namespace highwater
