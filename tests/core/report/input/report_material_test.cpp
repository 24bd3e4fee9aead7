#include "core/report/input/report_material.h"

#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/report_runs.h"

namespace highwater {
namespace {

using test::RunOfReport;

TEST(ReportMaterial, SharesTheComparisonOfBothRuns)
{
    const ReportRun before = RunOfReport(test::randomTrace(1, {}), "before.pickle").run();
    const ReportRun after = RunOfReport(test::randomTrace(2, {}), "after.pickle").run();
    const auto comparison = compareReportRuns(*before.study, *after.study);
    ASSERT_TRUE(comparison);
    const ReportRequest request{after, &before, {}, {}, {}, *comparison};
    EXPECT_EQ(reportMaterial(request)->comparison, *comparison);
}

TEST(ReportMaterial, ComparesBothRunsWhereNobodyHas)
{
    const ReportRun before = RunOfReport(test::randomTrace(1, {}), "before.pickle").run();
    const ReportRun after = RunOfReport(test::randomTrace(2, {}), "after.pickle").run();
    const Result<ReportMaterial> material = reportMaterial({after, &before, {}, {}, {}});
    ASSERT_TRUE(material);
    EXPECT_TRUE(material->devices());
}

TEST(ReportMaterial, ComparesTwoMomentsOfOneRun)
{
    const ReportRun run = RunOfReport(test::randomTrace(1, {}), "run.pickle").run();
    const Result<ReportMaterial> material
        = reportMaterial({run, nullptr, {}, {}, {}, nullptr, ComparedEvents{3, 40}});
    ASSERT_TRUE(material && material->moments);
    EXPECT_FALSE(material->hasTwoRuns());
    EXPECT_TRUE(sideNamesOf(*material).areMoments);
    EXPECT_EQ(material->moments->bySite.diff.before.bytes, run.study->device()->curve.at(3));
    EXPECT_EQ(material->moments->bySite.diff.after.bytes, run.study->device()->curve.at(40));
}

} // namespace
} // namespace highwater
