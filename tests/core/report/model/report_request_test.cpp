#include "core/report/model/report_request.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace highwater {

namespace {

constexpr std::array kAll{ReportTemplate::Incident, ReportTemplate::BeforeAfter, ReportTemplate::PullRequest};

bool hasPart(const std::vector<ReportPart>& parts, ReportPart part)
{
    return std::find(parts.begin(), parts.end(), part) != parts.end();
}

} // namespace

TEST(ReportTemplate, IsReadByTheNameItIsWrittenWith)
{
    for (const ReportTemplate kind : kAll)
        EXPECT_EQ(reportTemplateFromText(toText(kind)), kind);
    EXPECT_EQ(reportTemplateFromText("before/after"), std::nullopt);
}

TEST(UsualParts, BeginWithTheSummaryAndHoldNoneTwice)
{
    for (const ReportTemplate kind : kAll)
        for (const bool two : {false, true}) {
            std::vector<ReportPart> parts = usualParts(kind, two);
            EXPECT_EQ(parts.front(), ReportPart::Summary);
            std::sort(parts.begin(), parts.end());
            EXPECT_EQ(std::adjacent_find(parts.begin(), parts.end()), parts.end());
        }
}

TEST(UsualParts, CompareOnlyWhereThereAreTwoRuns)
{
    for (const ReportTemplate kind : kAll) {
        EXPECT_FALSE(hasPart(usualParts(kind, false), ReportPart::Comparison));
        EXPECT_TRUE(hasPart(usualParts(kind, true), ReportPart::Comparison));
    }
}

TEST(UsualParts, AreAllThereAreWithTheAppendixExceptInTheSummaryForAPullRequest)
{
    for (const ReportTemplate kind : {ReportTemplate::Incident, ReportTemplate::BeforeAfter}) {
        std::vector<ReportPart> parts = usualParts(kind, true);
        std::ranges::copy(appendixParts(kind), std::back_inserter(parts));
        std::ranges::sort(parts);
        EXPECT_EQ(std::ranges::adjacent_find(parts), parts.end());
        EXPECT_EQ(parts.size(), kReportPartCount);
    }
    EXPECT_EQ(usualParts(ReportTemplate::BeforeAfter, true)[1], ReportPart::Comparison);
    EXPECT_EQ(usualParts(ReportTemplate::PullRequest, true).size(), 3u);
}

TEST(TitleOf, SaysThatTheTimelinesAreFurtherOnesWhereTheSummaryHasTheMainOne)
{
    ReportOptions options;
    EXPECT_EQ(titleOf(ReportPart::Timeline, options), "Further timelines");
    options.parts = {ReportPart::Timeline};
    EXPECT_EQ(titleOf(ReportPart::Timeline, options), "Timeline");
    options = {};
    options.kind = ReportTemplate::PullRequest;
    EXPECT_EQ(titleOf(ReportPart::Timeline, options), "Timeline");
}

} // namespace highwater
