// Tests of a report's statements on why memory ran out, and on whether a fix worked.
#include "core/study/diagnosis/diagnosis.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/program/has_parts.h"
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
    EXPECT_EQ(report.diagnosis.diagnosed, DiagnosisClass::AboveCapacity);
    EXPECT_EQ(report.diagnosis.device, 0);
    EXPECT_EQ(report.diagnosis.requested, 18'962'280'612);
    EXPECT_EQ(report.diagnosis.bytes, 28'518'582'845);
    EXPECT_TRUE(test::hasParts(report.verdict, {"GPU 0", "17.66 GiB requested"}));
    const std::vector<ReportQuote> quotes = blocksOf<ReportQuote>(report);
    ASSERT_EQ(quotes.size(), 1u);
    EXPECT_EQ(quotes[0].source, "r4-verl-slurm.err, line 1, GPU 0");
    EXPECT_TRUE(test::hasParts(quotes[0].text, {"Tried to allocate 17.66 GiB"}));
    EXPECT_TRUE(test::hasParts(textOf(report), {"26.56 GiB"}));
}

TEST(Diagnosis, BeginsWithTheMemoryThatTheDriverRefused)
{
    const Report report = reportOf(runOfSample("nsys/training-3.7.2.sqlite"));
    EXPECT_EQ(report.diagnosis.diagnosed, DiagnosisClass::Warnings);
    EXPECT_TRUE(
        report.diagnosis.sentence.starts_with("The driver answered cudaMalloc with \"out of memory\""))
        << report.diagnosis.sentence;
    EXPECT_TRUE(test::hasParts(report.diagnosis.detail, {"No other fault found in 9 allocations"}));
}

TEST(Diagnosis, OfALogHasNoLowerFigureThanItsFailure)
{
    const Report report = reportOf(runOfSample("logs/two-ranks-oom.log"));
    EXPECT_EQ(report.diagnosis.text().find("highest"), std::string::npos) << report.diagnosis.text();
    EXPECT_TRUE(test::hasParts(report.diagnosis.cause, {"in no block that fits"})) << report.diagnosis.cause;
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
    EXPECT_EQ(report.diagnosis.diagnosed, DiagnosisClass::UnknownOom);
    EXPECT_EQ(report.diagnosis.requested, kGiB);
    EXPECT_TRUE(test::hasParts(report.verdict, {"1 GiB requested", "54 MiB in use"}));
    EXPECT_TRUE(test::hasParts(textOf(report), {"1 GiB failed at event 4"}));
}

TEST(Diagnosis, TellsGrowthFromFragmentationFromWhatIsTooBig)
{
    const auto runOf
        = [](const std::string& name) { return runOfSample("pytorch-snapshot/" + name + ".pickle.zst"); };
    EXPECT_EQ(reportOf(runOf("r1-grpo-before")).diagnosis.diagnosed, DiagnosisClass::Leak);
    EXPECT_EQ(reportOf(runOf("oom-fragmentation")).diagnosis.diagnosed, DiagnosisClass::Fragmentation);
    EXPECT_EQ(reportOf(runOf("oom-too-big")).diagnosis.diagnosed, DiagnosisClass::TooBig);
    const ReportRun copies = runOf("r5-flan-t5-xl-before").run();
    EXPECT_EQ(copies.study->diagnosis().diagnosed, DiagnosisClass::TooBig);
    const Finding* const named = copies.study->findingAt(copies.study->diagnosis().named);
    ASSERT_TRUE(named);
    EXPECT_EQ(named->rule, "duplicate-model");
    EXPECT_EQ(named->bytes, 11'399'028'736);
    EXPECT_TRUE(test::hasParts(
        named->title, {"3 copies of the model are in memory", "558 tensors and 5.31 GiB each)"}));
}

TEST(Diagnosis, SaysWhichFaultsAreGoneAndWhichAreLeft)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"),
        runOfSample("pytorch-snapshot/r1-grpo-after.pickle.zst"));
    EXPECT_TRUE(test::hasParts(textOf(report), {"(4.44 GiB)", "(14.89 GiB → 19.27 GiB)"}));
    EXPECT_TRUE(report.verdict.starts_with("Not fixed: memory still leaks")) << report.verdict;
    const Table faults = tableOf(report, "fault-changes");
    const auto rowOf = [&faults](const std::string& fault) {
        const auto found
            = std::ranges::find(faults.rows, fault, [](const TableRow& row) { return cellText(row[0]); });
        return found == faults.rows.end() ? TableRow(4) : *found;
    };
    EXPECT_EQ(cellText(faults.rows.at(0)[1]), "fixed");
    EXPECT_EQ(cellText(rowOf("Generation with gradients")[1]), "fixed");
    EXPECT_EQ(test::amountOf(rowOf("Generation with gradients")[2]), 4'765'964'544);
    EXPECT_EQ(cellText(rowOf("Leak")[1]), "still there");
    EXPECT_EQ(test::amountOf(rowOf("Leak")[2]), 15'992'577'408);
    EXPECT_EQ(test::amountOf(rowOf("Leak")[3]), 20'696'113'920);
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
    EXPECT_EQ(told, (std::set<std::string>{"duplicate-model", "too-big"})) << "the gradients stay";
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
    const Report report = reportOf(
        RunOfReport(test::traceFromText("stack a = model.py:1 forward\nalloc x 4MiB @a\nfree x\nend\n")));
    EXPECT_EQ(report.diagnosis.diagnosed, DiagnosisClass::Clean);
    EXPECT_FALSE(report.diagnosis.named);
    EXPECT_TRUE(report.verdict.starts_with("No fault found")) << report.verdict;
}

TEST(Diagnosis, DoesNotClearARunWhoseRefusedRequestsLeaveNoEvent)
{
    const ReportRun run = runOfSample("failures/refused.pickle.zst").run();
    EXPECT_NE(run.study->diagnosis().sentence.find("refused requests leave no event"), std::string::npos)
        << run.study->diagnosis().sentence;
    EXPECT_TRUE(
        runOfSample("failures/one-stream.pickle.zst").run().study->diagnosis().sentence.find("refused")
        == std::string::npos);
}

} // namespace highwater
