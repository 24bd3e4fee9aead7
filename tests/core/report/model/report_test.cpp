#include "core/report/model/report.h"

#include <set>

#include <gtest/gtest.h>

#include "core/report/model/finding_text.h"

namespace highwater {

TEST(ReportPart, IsReadByTheNameItIsWrittenWith)
{
    std::set<std::string_view> names, titles;
    for (std::size_t i = 0; i < kReportPartCount; ++i) {
        const auto part = static_cast<ReportPart>(i);
        EXPECT_EQ(reportPartFromText(toText(part)), part);
        names.insert(toText(part));
        titles.insert(titleOf(part));
    }
    EXPECT_EQ(names.size(), kReportPartCount);
    EXPECT_EQ(titles.size(), kReportPartCount);
    EXPECT_EQ(reportPartFromText("Summary"), std::nullopt);
}

TEST(FindingFacts, NameTheRankOfARunWithSeveral)
{
    ReportFinding reported{Finding{.rule = "growth", .kind = FindingKind::Fault, .device = 0, .step = 2}, ""};
    EXPECT_EQ(findingFacts(reported), (std::vector<std::string>{"fault", "GPU 0", "see step 2"}));
    reported.rank = 2;
    EXPECT_EQ(findingFacts(reported), (std::vector<std::string>{"fault", "rank 2", "GPU 0", "see step 2"}));
}

} // namespace highwater
