#include "core/report/build_report.h"

#include <set>

#include <gtest/gtest.h>

#include "core/analysis/budget/budget_study.h"
#include "core/analysis/composition/step_figures.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/random_trace.h"
#include "tests/support/report_runs.h"
#include "tests/support/report_tables.h"
#include "tests/support/sample_files.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

using test::amountOf;
using test::blocksOf;
using test::reportOf;
using test::RunOfReport;
using test::runOfSample;
using test::tableOf;
using test::textOf;

namespace {

/// True for columns whose values are parts of the total, and neither the largest of something nor a
/// percentage.
bool isSummed(const TableColumn& column)
{
    return (column.key.ends_with("bytes") || column.key.ends_with("count"))
        && column.key.find("largest") == std::string::npos;
}

void expectSums(const Table& table, const std::string& where)
{
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if (!isSummed(table.columns[column]) || !table.total[column].amount())
            continue;
        std::int64_t sum = 0;
        for (const TableRow& row : table.rows)
            if (const auto* amount = row[column].amount())
                sum += amount->value;
        EXPECT_EQ(sum, amountOf(table.total[column])) << where << ' ' << table.id << ' ' << column;
    }
}

/// Expects rows as wide as the header, unique ids, exact totals, no empty section.
void expectSound(const Report& report, const std::string& where)
{
    std::set<std::string> ids;
    EXPECT_FALSE(report.sections.empty()) << where;
    EXPECT_FALSE(blocksOf<Table>(report).empty()) << where;
    for (const ReportSection& section : report.sections)
        EXPECT_FALSE(section.blocks.empty()) << where << ' ' << section.title;
    for (const ReportFigure& figure : blocksOf<ReportFigure>(report))
        EXPECT_TRUE(ids.insert(figure.id).second) << where << ' ' << figure.id;
    for (const Table& table : blocksOf<Table>(report)) {
        EXPECT_TRUE(ids.insert(table.id).second) << where << ' ' << table.id;
        for (const TableRow& row : table.rows)
            EXPECT_EQ(row.size(), table.columns.size()) << where << ' ' << table.id;
        if (table.total.empty())
            continue;
        EXPECT_EQ(table.total.size(), table.columns.size()) << where << ' ' << table.id;
        expectSums(table, where);
    }
}

const char* const kTwoSites = R"(
    stack a = model.py:1 forward | train.py:9 main
    stack b = model.py:2 loss | train.py:9 main
    alloc x 4MiB @a
    alloc y 1MiB @b
    free x
    end
)";

} // namespace

TEST(BuildReport, SumsExactlyInEveryTableOfEverySample)
{
    for (const char* folder : {"pytorch-snapshot", "encodings", "kineto", "memory-timeline", "cupti", "nsys"})
        for (const std::string& name : test::sampleNames(folder))
            for (const std::size_t rows : {2, 20}) {
                ReportOptions options = test::fullReport();
                options.maxRows = rows;
                expectSound(reportOf(runOfSample(name), {}, options), name);
            }
}

TEST(BuildReport, SumsExactlyInEveryTableOfEveryPairOfReferenceCases)
{
    const std::string folder = "pytorch-snapshot/";
    for (const std::string name : {"r1-grpo", "r2-grpo-logits", "r3-vocabulary", "r5-flan-t5-xl"})
        for (const ReportTemplate kind :
            {ReportTemplate::Incident, ReportTemplate::BeforeAfter, ReportTemplate::PullRequest}) {
            ReportOptions options;
            options.kind = kind;
            const RunOfReport before = runOfSample(folder + name + "-before.pickle.zst");
            const RunOfReport after = runOfSample(folder + name + "-after.pickle.zst");
            expectSound(reportOf(before, after, {}, options), name);
            options.isFull = true;
            expectSound(reportOf(before, after, {}, options), name);
        }
}

TEST(BuildReport, SumsExactlyInEveryTableOfRandomRunsAndTheirPairs)
{
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        test::RandomTraceOptions trace;
        trace.consistent = seed % 3 != 0;
        const RunOfReport before(test::randomTrace(seed, trace), "before.pickle");
        const RunOfReport after(test::randomTrace(seed + 100, trace), "after.pickle");
        ReportOptions options = test::fullReport();
        options.maxRows = 1 + seed;
        expectSound(reportOf(before, {}, options), std::to_string(seed));
        expectSound(reportOf(before, after, {}, options), std::to_string(seed));
        const Table same = tableOf(reportOf(before, before, {}, options), "change-sites");
        EXPECT_FALSE(same.rows.empty()) << seed;
        for (const TableRow& row : same.rows)
            EXPECT_EQ(row[1].amount()->value, 0) << seed;
        const Table there = tableOf(reportOf(before, after, {}, options), "change-sites");
        const Table back = tableOf(reportOf(after, before, {}, options), "change-sites");
        EXPECT_EQ(there.total[1].amount()->value, -back.total[1].amount()->value) << seed;
    }
}

TEST(BuildReport, TellsThePeakOfARunAndWhatHeldIt)
{
    const RunOfReport run(test::traceFromText(kTwoSites));
    const Report report = reportOf(run);
    const Table sites = tableOf(report, "peak-sites");
    ASSERT_EQ(sites.rows.size(), 2u);
    EXPECT_EQ(cellText(sites.rows[0][0]), "forward (model.py:1)");
    EXPECT_EQ(amountOf(sites.rows[0][1]), 4 * kMiB);
    EXPECT_EQ(amountOf(sites.total[1]), 5 * kMiB);
    EXPECT_EQ(report.diagnosis.diagnosed, DiagnosisClass::Clean);
    EXPECT_TRUE(test::hasParts(report.verdict, {"No fault", "2 allocations", "too few steps"}));
    EXPECT_EQ(report.title, "GPU memory of run");
}

TEST(BuildReport, IsNamedAfterTheRanksOfARunThatHasSeveral)
{
    const RunOfReport main(test::traceFromText(kTwoSites));
    ReportRun run = main.run();
    run.main.rankCount = 4;
    run.main.fileCount = 4;
    run.main.member.rank = 2;
    const Result<Report> report = buildReport({run, nullptr, {}, "notes.json", {}});
    EXPECT_EQ(report->title, "GPU memory of 4 ranks");
    EXPECT_TRUE(report->subtitle.ends_with("; shown: rank 2 (of 4 ranks))")) << report->subtitle;
}

TEST(BuildReport, LeavesNoStepOutForTheSakeOfOneRow)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-after.pickle.zst"));
    const Table steps = tableOf(report, "steps");
    EXPECT_EQ(ReportOptions().maxRows, 20u);
    EXPECT_EQ(steps.rows.size(), 21u);
    EXPECT_EQ(steps.leftOut, "");
}

TEST(BuildReport, PutsWhatIsCutOffIntoTheLastRow)
{
    ReportOptions options = test::fullReport();
    options.maxRows = 1;
    const Table sites
        = tableOf(reportOf(RunOfReport(test::traceFromText(kTwoSites)), {}, options), "peak-sites");
    ASSERT_EQ(sites.rows.size(), 1u);
    EXPECT_EQ(cellText(sites.rows[0][0]), "2 others");
    EXPECT_EQ(amountOf(sites.rows[0][1]), 5 * kMiB);
}

TEST(BuildReport, HasTheCategoriesOfEachStepsPeakBesideIt)
{
    const RunOfReport run = runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst");
    const Table steps = tableOf(reportOf(run), "steps");
    const std::vector<CategoryBytes> bytes = categoriesAtPeaks(
        run.parts.device->allocations, run.parts.device->categories, run.parts.device->steps.steps);
    ASSERT_EQ(steps.rows.size(), run.parts.device->steps.steps.size());
    for (std::size_t i = 0; i < steps.rows.size(); ++i) {
        Bytes sum = 0;
        for (std::size_t column = 8; column < steps.columns.size(); ++column)
            sum += amountOf(steps.rows[i][column]);
        EXPECT_EQ(sum, run.parts.device->steps.steps[i].peakBytes);
        EXPECT_EQ(amountOf(steps.rows[i][1]), run.parts.device->steps.steps[i].peakBytes);
    }
    Bytes all = 0;
    for (const Bytes part : bytes.back())
        all += part;
    EXPECT_EQ(amountOf(steps.rows.back()[1]), all);
}

TEST(BuildReport, ComparesTwoRunsByTheVerdictAndTheRowsOfTheirDifference)
{
    const RunOfReport before(test::traceFromText(kTwoSites), "before.pickle");
    const RunOfReport after(test::traceFromText(R"(
        stack a = model.py:1 forward | train.py:9 main
        alloc x 2MiB @a
        end
    )"),
        "after.pickle");
    const Report report = reportOf(before, after);
    const Table rows = tableOf(report, "change-sites");
    ASSERT_EQ(rows.rows.size(), 2u);
    EXPECT_EQ(amountOf(rows.total[1]), -3 * kMiB);
    EXPECT_EQ(amountOf(rows.total[2]), 5 * kMiB);
    EXPECT_EQ(amountOf(rows.total[4]), 2 * kMiB);
    EXPECT_TRUE(test::hasParts(report.verdict, {"fell by 3 MiB (60%)"}));
    EXPECT_EQ(report.title, "before → after");
}

TEST(BuildReport, LeavesOutPartsThatHaveNothingToSay)
{
    const Report report = reportOf(RunOfReport(test::traceFromText(kTwoSites)));
    EXPECT_FALSE(report.sections.empty());
    for (const ReportSection& section : report.sections) {
        EXPECT_NE(section.part, ReportPart::Messages);
        EXPECT_NE(section.part, ReportPart::NoteList);
        EXPECT_NE(section.part, ReportPart::Comparison);
    }
}

TEST(BuildReport, HasThePartsThatAreAskedForInTheirOrder)
{
    ReportOptions options;
    options.parts = {ReportPart::Provenance, ReportPart::Summary};
    const Report report = reportOf(RunOfReport(test::traceFromText(kTwoSites)), {}, options);
    ASSERT_EQ(report.sections.size(), 2u);
    EXPECT_EQ(report.sections[0].part, ReportPart::Provenance);
    EXPECT_EQ(report.sections[1].title, "Summary");
}

TEST(BuildReport, HasAtMostTenRowsInATableOfAPullRequest)
{
    ReportOptions options;
    options.kind = ReportTemplate::PullRequest;
    const Report report = reportOf(runOfSample("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst"),
        runOfSample("pytorch-snapshot/r5-flan-t5-xl-after.pickle.zst"), {}, options);
    for (const Table& table : blocksOf<Table>(report))
        EXPECT_LE(table.rows.size(), 10u) << table.id;
    EXPECT_EQ(blocksOf<Table>(report).size(), 1u);
    EXPECT_EQ(blocksOf<ReportFigure>(report).size(), 1u);
    EXPECT_TRUE(blocksOf<ReportFinding>(report).empty());
    const ReportFacts facts = blocksOf<ReportFacts>(report).at(0);
    EXPECT_EQ(facts.rows.at(0).first, "Peak, requested bytes");
    EXPECT_EQ(cellText(facts.rows.at(0).second), "30.572 GiB → 23.667 GiB (−6.905 GiB)");
    EXPECT_NE(textOf(report).find("expandable_segments: false → true"), std::string::npos);
}

TEST(BuildReport, SaysOfTheFailureWhatTheHeadlineLeavesOut)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/oom-too-big.pickle.zst"), {}, {});
    EXPECT_TRUE(test::hasParts(report.verdict, {"2.25 GiB requested"}));
    const std::vector<ReportFacts> facts = blocksOf<ReportFacts>(report);
    const auto effect = std::ranges::find(facts[0].rows, "Effect", [](const auto& row) { return row.first; });
    ASSERT_NE(effect, facts[0].rows.end());
    EXPECT_TRUE(test::hasParts(cellText(effect->second), {"The request failed at event "}));
    EXPECT_EQ(cellText(effect->second).find("2.25 GiB"), std::string::npos);
    EXPECT_TRUE(test::hasParts(
        cellText(facts[0].rows[0].second), {"At the peak, backward (model.py:105) holds 2 GiB"}));
}

TEST(BuildReport, ShowsPeopleNoNamesOfRules)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"),
        runOfSample("pytorch-snapshot/r1-grpo-after.pickle.zst"));
    for (const TableRow& row : tableOf(report, "fault-changes").rows)
        EXPECT_EQ(cellText(row.front()).find('-'), std::string::npos) << cellText(row.front());
}

TEST(BuildReport, HasOneBudgetOfTwoRunsThatExpectTheSame)
{
    std::vector<RunOfReport> runs{runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"),
        runOfSample("pytorch-snapshot/r1-grpo-after.pickle.zst")};
    for (RunOfReport& run : runs) {
        run.parts.shape.emplace();
        run.parts.shape->parameters = 124'439'808;
        run.parts.shape->dtype = ElementType::Bf16;
    }
    const Table budget = tableOf(reportOf(runs[0], runs[1], {}, {}), "budget");
    EXPECT_EQ(amountOf(budget.total[2]), runs[0].parts.device->curve.peak().bytes);
    EXPECT_EQ(amountOf(budget.total[3]), runs[1].parts.device->curve.peak().bytes);
}

TEST(BuildReport, RefusesRunsThatCountOtherBytes)
{
    const RunOfReport snapshot(test::traceFromText(kTwoSites), "a.pickle");
    const RunOfReport driver = runOfSample("nsys/training-3.7.2.sqlite");
    const ReportRun before = snapshot.run();
    const Result<Report> report = buildReport({driver.run(), &before, {}, "", {}});
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::BadRequest);
    EXPECT_TRUE(test::hasParts(report.error().message,
        {"a.pickle counts requested bytes", "training-3.7.2.sqlite counts device used bytes"}));
}

TEST(BuildReport, RefusesALogBesideAnAllocationTrace)
{
    const RunOfReport snapshot(test::traceFromText(kTwoSites), "a.pickle");
    const RunOfReport log = runOfSample("logs/r4-verl-after.err");
    const ReportRun before = snapshot.run();
    ASSERT_FALSE(buildReport({log.run(), &before, {}, "", {}}));
}

TEST(BuildReport, ComparesTwoLogsByTheirSeries)
{
    const Report report
        = reportOf(runOfSample("logs/r4-verl-before.err"), runOfSample("logs/r4-verl-after.err"));
    EXPECT_TRUE(test::hasParts(report.verdict, {"44.87 GiB at step 6", "after step 4", "17.66 GiB"}));
    const Table settings = tableOf(report, "settings-changed");
    ASSERT_EQ(settings.rows.size(), 5u);
    EXPECT_EQ(cellText(settings.rows[4][0]), "data.train_batch_size");
    EXPECT_EQ(cellText(settings.rows[4][1]), "1024");
    EXPECT_EQ(cellText(settings.rows[4][2]), "512");
    EXPECT_EQ(tableOf(report, "series").rows.size(), 3u);
    EXPECT_EQ(blocksOf<ReportFigure>(report).front().id, "series-pair");
}

TEST(BuildReport, SaysOfASnapshotWithoutHistoryThatItShowsOneMoment)
{
    const Report report = reportOf(runOfSample("encodings/tiny-segments-only.pickle"));
    ASSERT_FALSE(report.diagnosis.examined.empty());
    EXPECT_EQ(report.diagnosis.examined[0], (Examined{ExaminedKind::Segments, 2}));
    EXPECT_TRUE(
        test::hasParts(report.verdict, {"No fault", "2 segments at one moment", "without a history"}));
    EXPECT_TRUE(test::hasParts(textOf(report), {"9 MiB", "No history was recorded"}));
}

TEST(BuildReport, IsWrittenOfAFileWithoutFiguresOfMemory)
{
    const Report report = reportOf(runOfSample("nsys/no-memory-table-3.25.0.sqlite"));
    EXPECT_EQ(report.diagnosis.diagnosed, DiagnosisClass::NothingExamined);
    EXPECT_TRUE(test::hasParts(report.verdict, {"nothing to judge"}));
    EXPECT_FALSE(tableOf(report, "files").rows.empty());
}

TEST(BuildReport, IsWrittenOfAFileOfOneEvent)
{
    const Report report = reportOf(RunOfReport(test::traceFromText("alloc a 1000\nend\n")));
    EXPECT_EQ(report.diagnosis.diagnosed, DiagnosisClass::Clean);
    EXPECT_TRUE(test::hasParts(report.verdict, {"1 allocation", "too few steps"}));
}

TEST(BuildReport, TellsExpectedAgainstObservedLineByLine)
{
    RunOfReport run = runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst");
    run.parts.shape.emplace();
    run.parts.shape->parameters = 124'439'808;
    run.parts.shape->dtype = ElementType::Bf16;
    const Table budget = tableOf(reportOf(run), "budget");
    const Result<BudgetStudy> study = studyBudget({*run.parts.shape, {}, {}}, run.parts.device.get());
    ASSERT_TRUE(study);
    EXPECT_EQ(amountOf(budget.total[1]), study->budget.expected);
    EXPECT_EQ(amountOf(budget.total[4]), study->observed->total);
    EXPECT_EQ(amountOf(budget.total[4]), run.parts.device->curve.peak().bytes);
}

TEST(BuildReport, SaysWhyThereIsNoBudget)
{
    RunOfReport run(test::traceFromText(kTwoSites));
    run.parts.shape.emplace();
    run.parts.shape->gpus = {"Voodoo 2"};
    EXPECT_NE(textOf(reportOf(run)).find("No budget could be computed: "), std::string::npos);
}

TEST(BuildReport, WarnsThatAFileEndsEarly)
{
    RunOfReport run(test::traceFromText(kTwoSites));
    run.parts.cutOff = "the file ends in the middle (at byte 7)";
    const std::string text = textOf(reportOf(run));
    EXPECT_TRUE(test::hasParts(text, {"The file ends early", "cut off at byte 7"}));
}

TEST(BuildReport, TellsFilesThatCouldNotBeRead)
{
    RunOfReport run(test::traceFromText(kTwoSites));
    ReportSource broken;
    broken.path = "folder/train.log";
    broken.error = "cannot be read: no such file";
    run.sources.push_back(broken);
    const Table files = tableOf(reportOf(run), "files");
    ASSERT_EQ(files.rows.size(), 2u);
    EXPECT_EQ(cellText(files.rows[1][4]), "not read: cannot be read: no such file");
}

TEST(BuildReport, LeavesFoldersOutOnRequest)
{
    ReportOptions options = test::fullReport();
    options.stripPaths = true;
    const auto trace
        = test::traceFromText("stack a = /home/jane/secret/model.py:1 forward\nalloc x 4MiB @a\nend\n");
    const Table sites = tableOf(reportOf(RunOfReport(trace), {}, options), "peak-sites");
    EXPECT_EQ(cellText(sites.rows[0][0]), "forward (model.py:1)");
}

} // namespace highwater
