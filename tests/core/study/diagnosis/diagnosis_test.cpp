// Tests of a report's statements on why memory ran out, and on whether a fix worked.
#include "core/study/diagnosis/diagnosis.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/support/report_runs.h"
#include "tests/support/report_tables.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

using test::blocksOf;
using test::reportOf;
using test::RunOfReport;
using test::runOfSample;
using test::tableOf;
using test::textOf;

TEST(Diagnosis, TellsTheMessageOfALogWithWhatIsNotOnTheDevice)
{
    const Report report = reportOf(runOfSample("logs/r4-verl-slurm.err"));
    EXPECT_EQ(report.verdict.find("Out of memory on GPU 0: 17.66 GiB requested; PyTorch counts "), 0u);
    const std::vector<ReportQuote> quotes = blocksOf<ReportQuote>(report);
    ASSERT_EQ(quotes.size(), 1u);
    EXPECT_EQ(quotes[0].source, "r4-verl-slurm.err, line 1, GPU 0");
    EXPECT_NE(quotes[0].text.find("Tried to allocate 17.66 GiB"), std::string::npos);
    EXPECT_NE(textOf(report).find("21.59 GiB more than it has"), std::string::npos);
}

TEST(Diagnosis, TellsTheSameRequestOfSeveralRanksOnce)
{
    const Report report = reportOf(runOfSample("logs/two-ranks-oom.log"));
    EXPECT_EQ(blocksOf<ReportQuote>(report).size(), 1u);
    const Table ranks = tableOf(report, "failed-ranks");
    ASSERT_EQ(ranks.rows.size(), 2u);
    EXPECT_EQ(cellText(ranks.rows[0][0]), "0");
    EXPECT_EQ(cellText(ranks.rows[1][0]), "1");
}

TEST(Diagnosis, SaysThatMemoryRanOutWhereNothingTellsWhy)
{
    // A profiler's trace contains the failed request, but nothing about the allocator.
    const Report report = reportOf(runOfSample("kineto/tiny-addresses.pt.trace.json"));
    EXPECT_EQ(report.verdict, "Out of memory: 1 GiB requested with 54 MiB in use.");
    EXPECT_NE(textOf(report).find("A request of 1 GiB failed at event 4"), std::string::npos);
}

TEST(Diagnosis, TellsGrowthFromFragmentationFromWhatIsTooBig)
{
    const auto says = [](const std::string& name) {
        return textOf(reportOf(runOfSample("pytorch-snapshot/" + name + ".pickle.zst")));
    };
    EXPECT_NE(says("r1-grpo-before").find("This is a leak, not fragmentation"), std::string::npos);
    EXPECT_NE(says("oom-fragmentation").find("PyTorch's cache is fragmented"), std::string::npos);
    EXPECT_NE(says("oom-too-big").find("Live tensors alone exceed the GPU"), std::string::npos);
    const std::string duplicate = says("r5-flan-t5-xl-before");
    EXPECT_NE(duplicate.find(
                  "The model is in memory 3 times: 10.62 GiB more than once (558 tensors, 5.31 GiB each)."),
        std::string::npos)
        << duplicate;
}

TEST(Diagnosis, SaysWhichFaultsAreGoneAndWhichAreLeft)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"),
        runOfSample("pytorch-snapshot/r1-grpo-after.pickle.zst"));
    const std::string text = textOf(report);
    EXPECT_NE(text.find("Fixed: generation with gradients (4.44 GiB)"), std::string::npos) << text;
    EXPECT_NE(text.find("Still there: growth (14.89 GiB → 19.27 GiB)"), std::string::npos) << text;
    EXPECT_TRUE(report.verdict.starts_with("Both runs filled the GPU: ")) << report.verdict;
    const Table faults = tableOf(report, "fault-changes");
    EXPECT_EQ(cellText(faults.rows[0][1]), "fixed");
}

TEST(Diagnosis, TellsOfTheRunBeforeWhatIsFixedWhereTheFixIsAskedFor)
{
    ReportOptions options = test::fullReport();
    options.kind = ReportTemplate::BeforeAfter;
    const RunOfReport before = runOfSample("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst");
    const RunOfReport after = runOfSample("pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst");
    std::set<std::string> told;
    for (const ReportFinding& finding : blocksOf<ReportFinding>(reportOf(before, after, {}, options)))
        if (finding.run == "before")
            told.insert(finding.finding.rule);
    EXPECT_EQ(told, (std::set<std::string>{"duplicate-model", "stale-gradients", "too-big"}));
}

TEST(Diagnosis, IsWorkedOutOnce)
{
    const ReportRun run = runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst").run();
    EXPECT_EQ(&run.study->diagnosis(), &run.study->diagnosis());
    EXPECT_EQ(run.study->diagnosis().diagnosed, DiagnosisClass::Leak);
    EXPECT_EQ(run.study->findingAt(run.study->diagnosis().named), run.study->finding("growth"));
}

TEST(Diagnosis, FindsNothingWrongWithAnInnocentRun)
{
    const std::string text = textOf(reportOf(
        RunOfReport(test::traceFromText("stack a = model.py:1 forward\nalloc x 4MiB @a\nfree x\nend\n"))));
    EXPECT_NE(text.find("No fault found in "), std::string::npos) << text;
    EXPECT_EQ(text.find("It is "), std::string::npos);
}

} // namespace highwater
