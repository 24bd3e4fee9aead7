#include <gtest/gtest.h>

#include "core/report/build_report.h"
#include "tests/support/report_runs.h"
#include "tests/support/report_tables.h"

namespace highwater {

using test::blocksOf;
using test::reportOf;
using test::runOfSample;

TEST(FirstPage, NamesTheTensorsOfALeakInItsNextStep)
{
    const Report report = reportOf(runOfSample("pytorch-snapshot/r1-grpo-before.pickle.zst"), {}, {});
    const auto& next = blocksOf<ReportFacts>(report).at(0).rows.back();
    EXPECT_EQ(next.first, "Next");
    EXPECT_NE(
        cellText(next.second).find("the tensors from policy_log_probs trainer.py:186"), std::string::npos);
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

} // namespace highwater
