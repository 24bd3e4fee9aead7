#include "core/report/model/report.h"

#include <set>

#include <gtest/gtest.h>

namespace highwater {

TEST(ReportPart, IsReadByTheNameItIsWrittenWith)
{
    std::set<std::string_view> names, titles;
    for (std::size_t i = 0; i < kReportParts; ++i) {
        const auto part = static_cast<ReportPart>(i);
        EXPECT_EQ(reportPartFromText(toText(part)), part);
        names.insert(toText(part));
        titles.insert(titleOf(part));
    }
    EXPECT_EQ(names.size(), kReportParts);
    EXPECT_EQ(titles.size(), kReportParts);
    EXPECT_EQ(reportPartFromText("Summary"), std::nullopt);
}

} // namespace highwater
