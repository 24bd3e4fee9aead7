#include <gtest/gtest.h>

#include "core/report/build_report.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/report_runs.h"
#include "tests/support/report_tables.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

using test::blocksOf;
using test::reportOf;
using test::runOfSample;

TEST(FirstPage, NamesTheTensorsOfALeakInItsNextStep)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"), {}, {});
    const auto next = blocksOf<ReportFacts>(report).at(0).rows.back();
    EXPECT_EQ(next.first, "Next");
    EXPECT_NE(cellText(next.second).find("those from policy_log_probs (trainer.py:186)"), std::string::npos);
}

namespace {

std::string rowOf(const Report& report, const std::string& name)
{
    const ReportFacts first = blocksOf<ReportFacts>(report).at(0);
    for (const auto& [title, value] : first.rows)
        if (title == name)
            return cellText(value);
    return {};
}

} // namespace

TEST(FirstPage, ShowsTheSourceOfTheFailingLineThatALogQuotes)
{
    const Report report = reportOf(runOfSample("logs/two-ranks-oom.log"), {}, {});
    EXPECT_EQ(rowOf(report, "Failing line"), "main (train.py:41): loss = model(batch)");
}

TEST(FirstPage, HasEveryFailedRankOfALog)
{
    const Report report = reportOf(runOfSample("logs/two-ranks-oom.log"), {}, {});
    EXPECT_TRUE(rowOf(report, "Effect").starts_with("A request of 680 MiB failed: line "))
        << rowOf(report, "Effect");
    EXPECT_TRUE(test::hasParts(rowOf(report, "Effect"), {"rank 0, GPU 0", "; also line ", "rank 1, GPU 1"}));
    EXPECT_EQ(test::tableOf(report, "failed-ranks").rows.size(), 2u);
}

TEST(FirstPage, HasTheCauseThatTheFindingOfALogStates)
{
    const Report report = reportOf(runOfSample("logs/two-ranks-oom.log"), {}, {});
    EXPECT_EQ(rowOf(report, "Cause"),
        "The GPU had 120 MiB of 79.19 GiB free, and PyTorch's cache 1.25 GiB, but in no block that fits.");
}

TEST(FirstPage, HasNoCauseWhereALogShowsNone)
{
    const Report report = reportOf(runOfSample("logs/kinds/tensorflow-bfc.log"), {}, {});
    EXPECT_EQ(rowOf(report, "Cause"), "");
}

TEST(FirstPage, HasTheCauseAndTheOperatorOfARequestInBackward)
{
    const Report report = reportOf(runOfSample("ranks/rank2_snapshot.pickle.zst"), {}, {});
    EXPECT_TRUE(test::hasParts(rowOf(report, "Cause"), {"PyTorch's cache", "outside the cache"}));
    EXPECT_TRUE(rowOf(report, "Failing line").starts_with("backward · LogSoftmaxBackward0"))
        << rowOf(report, "Failing line");
}

TEST(FirstPage, LeavesItToTheHeadlineThatTheFaultIsFixed)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst"),
        runOfSample("pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst"), {}, {});
    EXPECT_EQ(rowOf(report, "Fix"), "");
    EXPECT_TRUE(rowOf(report, "Changed").ends_with("garbage_collection_threshold:0.7"))
        << rowOf(report, "Changed") << ": the whole value, and none of its options again";
}

TEST(FirstPage, HasACauseThatStandsAlone)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst"),
        runOfSample("pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst"), {}, {});
    EXPECT_TRUE(test::hasParts(report.verdict, {"10.62 GiB"}));
    EXPECT_TRUE(rowOf(report, "Cause").starts_with("Before: 3 copies of the model are in memory"));
    EXPECT_TRUE(
        test::hasParts(rowOf(report, "Cause"), {"Copy 2 is allocated by to() (modeling_utils.py:3110)"}));
}

TEST(FirstPage, HasThePeakOfTheRunBeforeOnce)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r2-grpo-logits-before.pickle.zst"),
        runOfSample("pytorch-snapshot/r2-grpo-logits-after.pickle.zst"), {}, {});
    EXPECT_EQ(rowOf(report, "Cause"),
        "Before: 24 logits-sized tensors take 50.25 MiB, 15% of the peak (vocabulary 67).");
}

TEST(FirstPage, DoesNotRepeatTheOnlyLineOfTheHeadlineAsTheCause)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r3-vocabulary-before.pickle.zst"), {}, {});
    EXPECT_EQ(rowOf(report, "Cause"), "Without the leak, the peak would be 21.53 GiB, in step 1.");
}

TEST(FirstPage, IsFollowedByFindingsThatBeginWithTheirSentences)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"), {}, {});
    const std::vector<ReportFinding> findings = blocksOf<ReportFinding>(report);
    ASSERT_FALSE(findings.empty());
    EXPECT_TRUE(findings.front().finding.title.starts_with("Memory leaks 1.07 GiB per step"));
    const std::string text = test::textOf(report);
    EXPECT_NE(text.find("A full report (--full) has 7 more findings."), std::string::npos) << text;
}

TEST(FirstPage, PlacesAFailureInItsStepAndNotAtAnEvent)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"), {}, {});
    EXPECT_EQ(rowOf(report, "Effect").find("event"), std::string::npos);
    EXPECT_NE(rowOf(report, "Effect").find("in step 14"), std::string::npos);
}

TEST(FirstPage, GivesTheReservedBytesOfAFailureOnAFullGpu)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"), {}, {});
    EXPECT_TRUE(test::hasParts(rowOf(report, "Effect"),
        {"with 22.62 GiB in use and 22.81 GiB reserved on a GPU of at least 22.85 GiB"}));
}

TEST(FirstPage, PlacesAPeakAfterTheLastStepOutsideTheSteps)
{
    const Report report = reportOf(runOfSample("rehearsed/eval-with-gradients.pickle.zst"), {}, {});
    EXPECT_TRUE(test::hasParts(rowOf(report, "Peak"), {"2.28 GiB, outside the steps"}));
}

TEST(FirstPage, HasOneLineToChangeWhereALeakIsBehindAFailure)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"), {}, {});
    EXPECT_TRUE(
        rowOf(report, "Cause")
            .starts_with(
                "9.7 GiB of the kept memory comes from policy_log_probs (trainer.py:186), 3.79 GiB from "))
        << rowOf(report, "Cause");
    EXPECT_EQ(rowOf(report, "Failing line"), "");
    EXPECT_NE(rowOf(report, "Effect").find("at forward (model.py:54)"), std::string::npos);
}

TEST(FirstPage, CallsASavingWithoutAFaultASavingOnly)
{
    const Report report = reportOf(runOfSample("rehearsed/modules-gpt.pickle.zst"), {}, {});
    EXPECT_TRUE(rowOf(report, "Next").starts_with("Optional: ")) << rowOf(report, "Next");
}

TEST(FirstPage, SaysOfASettingWhichBytesItSaves)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst"), {}, {});
    EXPECT_EQ(rowOf(report, "Next"),
        "Optional: without max_split_size_mb, reserved memory falls from 30.69 GiB to 23.83 GiB. Remove "
        "max_split_size_mb from PYTORCH_CUDA_ALLOC_CONF.");
}

TEST(FirstPage, HasNoNextStepWhereTheHeadlineFindsNoFault)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/clean-attention.pickle.zst"), {}, {});
    EXPECT_EQ(rowOf(report, "Next"), "");
}

TEST(FirstPage, HasTheFailuresOfALogWhoseSeriesHaveOneValueEach)
{
    const Report report = reportOf(runOfSample("logs/r4-verl-slurm.err"), {}, {});
    EXPECT_TRUE(blocksOf<ReportFigure>(report).empty());
    EXPECT_EQ(test::tableOf(report, "log-failures").rows.size(), 1u);
}

TEST(FirstPage, SaysOnTopThatARunWasRehearsed)
{
    const Report report = reportOf(runOfSample("rehearsed/copies.pickle.zst"), {}, {});
    const auto* first = std::get_if<ReportParagraph>(&report.sections.at(0).blocks.at(0));
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->text.starts_with("Rehearsed on a simulated")) << first->text;
}

TEST(FirstPage, AsksForNothingInABriefReport)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"), {}, {});
    for (const ReportFacts& facts : blocksOf<ReportFacts>(report))
        for (const auto& [name, value] : facts.rows)
            EXPECT_FALSE(value.isEmpty()) << name;
}

TEST(FirstPage, HasTheTableOfThePeakOnceAndNotOnPageOne)
{
    const test::RunOfReport run = runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst");
    ReportOptions options;
    const Report paper = reportOf(run, {}, options);
    EXPECT_FALSE(test::tableOf(paper, "peak-sites").rows.empty());
    for (const ReportBlock& block : paper.sections.front().blocks)
        EXPECT_FALSE(std::holds_alternative<Table>(block));
    options.isLive = true; // the live timeline has the table
    EXPECT_TRUE(test::tableOf(reportOf(run, {}, options), "peak-sites").rows.empty());
}

TEST(FirstPage, SaysOnceThatAFileIsCutOff)
{
    test::RunOfReport run(test::traceFromText("alloc a 1000\nend\n"));
    run.parts.cutOff = "the file ends in the middle (at byte 7)";
    const std::string text = test::textOf(reportOf(run));
    const std::string sentence = "The file ends early; its figures cover";
    const std::size_t first = text.find(sentence);
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(text.find(sentence, first + 1), std::string::npos);
}

TEST(FirstPage, SaysOfAFileThatEndsEarlyInTheSourcesOnlyThatItDoes)
{
    test::RunOfReport run(test::traceFromText("alloc a 1000\nend\n"));
    run.parts.cutOff = run.sources.front().cutOff = "the file ends in the middle (at byte 7)";
    EXPECT_EQ(cellText(test::tableOf(reportOf(run, {}, {}), "files").rows.at(0).back()), "ends early");
}

TEST(FirstPage, ShortensHomeFoldersUnlessTheirPathsAreWanted)
{
    test::RunOfReport run(test::traceFromText("alloc a 1000\nend\n"));
    run.sources.front().path = "/home/jane/runs/a.pickle";
    EXPECT_EQ(cellText(test::tableOf(reportOf(run, {}, {}), "files").rows.at(0).at(0)), "~/runs/a.pickle");
    ReportOptions options;
    options.keepsHomes = true;
    EXPECT_EQ(cellText(test::tableOf(reportOf(run, {}, options), "files").rows.at(0).at(0)),
        "/home/jane/runs/a.pickle");
}

TEST(FirstPage, BeginsWithCauseEffectAndNext)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst"), {}, {});
    const std::vector<ReportFacts> facts = blocksOf<ReportFacts>(report);
    ASSERT_EQ(facts.size(), 1u);
    EXPECT_EQ(facts[0].style, FactStyle::Answer);
    EXPECT_EQ(facts[0].rows.at(0).first, "Cause");
    EXPECT_EQ(rowOf(report, "Cause"),
        "Copy 2 is allocated by to() (modeling_utils.py:3110) [convert (module.py:1341)]. Copy 3 is "
        "allocated by move_to_device (train.py:44) [convert (module.py:1341)].");
    EXPECT_EQ(facts[0].rows.at(1).first, "Effect");
    EXPECT_EQ(facts[0].rows.back().first, "Next");
}

TEST(FirstPage, ShowsAtMostThreeLargeFiguresOfTwoRuns)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst"),
        runOfSample("pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst"), {}, {});
    const std::vector<ReportFacts> facts = blocksOf<ReportFacts>(report);
    ASSERT_GE(facts.size(), 2u);
    EXPECT_EQ(facts[1].style, FactStyle::Figures);
    EXPECT_LE(facts[1].rows.size(), 3u);
}

} // namespace highwater
