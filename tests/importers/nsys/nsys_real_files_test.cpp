// Tests of exports of other people's runs and of a small program, if they are available next to the project.
#include <gtest/gtest.h>

#include <map>

#include "importers/registry/open_trace.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

std::shared_ptr<const Trace> openReal(const std::string& name, bool activities = false)
{
    const auto path = test::realFilePath("nsys/" + name);
    ImportOptions options;
    options.activities = activities;
    const Result<ImportedTrace> imported
        = path ? openTrace(*path, options) : fail(ErrorCode::CannotRead, "absent");
    return imported && !imported->incomplete ? imported->trace : nullptr;
}

std::map<SpanKind, int> spansOf(const Trace& trace)
{
    std::map<SpanKind, int> kinds;
    for (const Span& span : trace.spans)
        ++kinds[span.kind];
    return kinds;
}

class RealNsysExport : public testing::TestWithParam<const char*>
{
};

} // namespace

TEST_P(RealNsysExport, SaysThatMemoryUseWasNotRecordedAndWhatRecordsIt)
{
    const auto path = test::realFilePath(std::string("nsys/") + GetParam());
    SKIP_WITHOUT_REAL_FILE(path);
    const auto trace = openReal(GetParam());
    ASSERT_TRUE(trace);
    const std::string& message = trace->log.find("no-memory-events")->message;
    EXPECT_NE(message.find("COLLECT_GPU_MEMORY_USAGE was false"), std::string::npos) << message;
    EXPECT_NE(message.find("--cuda-memory-usage=true"), std::string::npos) << message;
    EXPECT_EQ(trace->metadata.clock, Clock::Unix);
}

INSTANTIATE_TEST_SUITE_P(All, RealNsysExport,
    testing::Values("cpu-nvtx.sqlite", "cpu-nvtx-utc.sqlite", "cpu-nvtx-all-tables.sqlite",
        "h100-2gpu-before.sqlite", "h100-2gpu-after.sqlite"),
    [](const auto& name) { return test::testNameOf(name.param); });

TEST(RealNsysRanges, AreTheFiveStepsOfTheSmallProgram)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath("nsys/cpu-nvtx.sqlite"));
    const auto trace = openReal("cpu-nvtx.sqlite");
    ASSERT_TRUE(trace);
    ASSERT_EQ(trace->spans.size(), 27u); // one of 28 rows creates a domain
    EXPECT_EQ(trace->text(trace->spans[0].name), "step_0");
    EXPECT_EQ(trace->spans[0].begin, 1'795'186'094'311'363'526 + 21'708'650);
    EXPECT_EQ(trace->text(trace->spans.back().name), "registered-name"); // found by the id of its text
}

TEST(RealNsysRanges, AreAtTheSameTimesInBothKindsOfExport)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath("nsys/cpu-nvtx-utc.sqlite"));
    const auto relative = openReal("cpu-nvtx.sqlite");
    const auto absolute = openReal("cpu-nvtx-utc.sqlite");
    ASSERT_EQ(relative->spans.size(), absolute->spans.size());
    for (std::size_t i = 0; i < relative->spans.size(); ++i)
        EXPECT_EQ(relative->spans[i].begin, absolute->spans[i].begin) << i;
}

TEST(RealNsysRanges, OfTwoGpusAreOperatorsAndAnnotationsOfTwoProcesses)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath("nsys/h100-2gpu-after.sqlite"));
    const auto trace = openReal("h100-2gpu-after.sqlite");
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->metadata.operatorCount, 16'481);
    EXPECT_EQ(spansOf(*trace)[SpanKind::Operator], 16'481);
    EXPECT_EQ(spansOf(*trace)[SpanKind::Annotation], 17'113 - 16'481);
    std::map<std::int64_t, std::int64_t> deviceOfProcess;
    for (const Span& span : trace->spans)
        deviceOfProcess[span.process] = span.deviceOrdinal;
    EXPECT_EQ(deviceOfProcess, (std::map<std::int64_t, std::int64_t>{{148, 0}, {149, 1}}));
}

TEST(RealNsysActivities, AreAllRowsOfTheExport)
{
    SKIP_WITHOUT_REAL_FILE(test::realFilePath("nsys/h100-2gpu-after.sqlite"));
    EXPECT_EQ(openReal("h100-2gpu-after.sqlite")->activities.rows(), 0u); // this export has no allocations
    EXPECT_EQ(openReal("h100-2gpu-after.sqlite", true)->activities.rows(), 3'587u + 904 + 242 + 6'682);
}

} // namespace highwater
