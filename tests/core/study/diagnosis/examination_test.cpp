// Tests of the list of things that a diagnosis could examine, and of its highest figure.
#include "core/study/diagnosis/examination.h"

#include <gtest/gtest.h>

#include "tests/support/import_bytes.h"
#include "tests/support/program/has_parts.h"
#include "tests/support/report_runs.h"
#include "tests/support/trace_from_text.h"

namespace highwater {

namespace {

std::vector<RunLog> logOf(const std::string& text)
{
    return {{"run.log", test::importBytes(text)->trace, 0}};
}

Diagnosis ofTrace(const std::string& text)
{
    return test::RunOfReport(test::traceFromText(text)).run().study->diagnosis();
}

} // namespace

TEST(Examination, CountsAllocationsOfAHistory)
{
    const Diagnosis said = ofTrace("alloc a 4MiB\nfree a\nend\n");
    ASSERT_EQ(said.examined.size(), 1u);
    EXPECT_EQ(said.examined[0].what, ExaminedKind::Allocations);
    EXPECT_EQ(said.examined[0].count, 1);
    EXPECT_EQ(said.diagnosed, DiagnosisClass::Clean);
}

TEST(Examination, TakesTheHighestOfAllQuantities)
{
    const auto highest
        = highestFigure(logOf("{\"step\": 1, \"mem_alloc_mb\": 100, \"mem_reserved_mb\": 200}\n"
                              "{\"step\": 2, \"mem_alloc_mb\": 150, \"mem_reserved_mb\": 190}\n"));
    ASSERT_TRUE(highest);
    EXPECT_EQ(highest->bytes, 200 * kMiB);
    EXPECT_EQ(highest->text, "200 MiB reserved at step 1; its unit is a guess");
}

TEST(Examination, FindsNothingInATextOfOtherThings)
{
    EXPECT_FALSE(highestFigure(logOf("step 1 loss 2.5\nstep 2 loss 2.4\n")));
}

TEST(Examination, TellsThatPyTorchsMemoryIsAboveWhatSamplesShow)
{
    auto log = std::make_shared<Trace>();
    for (const auto& [metric, gib] : {std::pair("allocated_peak", 30), std::pair("device_used", 25)}) {
        CounterSeries series;
        series.name = metric;
        series.metric = metric;
        series.unit = "bytes";
        series.value.assign(10, static_cast<double>(gib * kGiB));
        log->counters.push_back(series);
    }
    EXPECT_TRUE(test::hasParts(contradictionText({{"run.log", log, 0}}),
        {"Allocated peak", "30 GiB, is above device used", "25 GiB: samples missed the peak"}));
    log->counters[1].value.assign(10, static_cast<double>(30 * kGiB));
    EXPECT_EQ(contradictionText({{"run.log", log, 0}}), "");
}

TEST(Examined, IsToldInOneSentence)
{
    const std::string text
        = examinedText({{ExaminedKind::Allocations, 19'464, 12}, {ExaminedKind::Series, 3, {}, 40}});
    EXPECT_TRUE(test::hasParts(text, {"19,464 allocations", "12 steps", "3 series", "40 points"}));
    EXPECT_TRUE(
        test::hasParts(examinedText({{ExaminedKind::Series, 3, 2, 2}}), {"(up to 2 points at 2 steps)"}));
    EXPECT_EQ(examinedText({{ExaminedKind::Segments, 1}}), "1 segment at one moment");
}

TEST(Diagnosis, PutsTheFindingThatItNamesFirst)
{
    const ReportRun run = test::runOfSample("pytorch-snapshot/r5-flan-t5-xl-before.pickle.zst").run();
    EXPECT_EQ(run.study->inReadingOrder().front(), run.study->findingAt(run.study->diagnosis().named));
    EXPECT_EQ(run.study->inReadingOrder().size(), run.study->findings().size());
}

} // namespace highwater
