#include "core/report/model/report.h"

#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace highwater {

namespace {

std::string shown(std::int64_t value, AmountKind kind)
{
    return cellText(Amount{value, kind});
}
std::string exact(std::int64_t value, AmountKind kind)
{
    return exactText(Amount{value, kind});
}

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

} // namespace

TEST(ReportCell, WithNothingInItIsADash)
{
    EXPECT_EQ(cellText({}), "–");
    EXPECT_EQ(exactText({}), "");
}

TEST(ReportCell, ShowsTextAsItIs)
{
    EXPECT_EQ(cellText(std::string("a<b>\n")), "a<b>\n");
    EXPECT_EQ(exactText(std::string("a")), "");
}

TEST(ReportCell, ShowsBytesRoundedAndExact)
{
    EXPECT_EQ(shown(22'826'354'688, AmountKind::ByteCount), "21.26 GiB");
    EXPECT_EQ(exact(22'826'354'688, AmountKind::ByteCount), "22,826,354,688 B");
    EXPECT_EQ(exact(1023, AmountKind::ByteCount), "");
}

TEST(ReportCell, ShowsTheSignOfEveryChange)
{
    EXPECT_EQ(shown(1536, AmountKind::ByteDelta), "+1.50 KiB");
    EXPECT_EQ(exact(1536, AmountKind::ByteDelta), "+1,536 B");
    EXPECT_EQ(exact(-1536, AmountKind::ByteDelta), "−1,536 B");
    EXPECT_EQ(shown(0, AmountKind::ByteDelta), "±0 B");
    EXPECT_EQ(shown(1234, AmountKind::CountDelta), "+1,234");
    EXPECT_EQ(shown(-1234, AmountKind::CountDelta), "−1,234");
    EXPECT_EQ(shown(0, AmountKind::CountDelta), "±0");
    EXPECT_EQ(shown(1, AmountKind::PerMilleDelta), "+0.1 %");
    EXPECT_EQ(shown(-226, AmountKind::PerMilleDelta), "−22.6 %");
    EXPECT_EQ(shown(0, AmountKind::PerMilleDelta), "±0.0 %");
}

TEST(ReportCell, ShowsTheEventBeforeTheFirstAsADash)
{
    EXPECT_EQ(shown(5701, AmountKind::Event), "5,701");
    EXPECT_EQ(shown(0, AmountKind::Event), "0");
    EXPECT_EQ(shown(-1, AmountKind::Event), "–");
}

TEST(ReportCell, ShowsSharesInTenthsOfAPerCent)
{
    EXPECT_EQ(shown(172, AmountKind::PerMille), "17.2 %");
    EXPECT_EQ(shown(1000, AmountKind::PerMille), "100.0 %");
    EXPECT_EQ(shown(12'345, AmountKind::PerMille), "1,234.5 %");
}

TEST(ReportCell, ShowsFactorsWithThreeDigits)
{
    EXPECT_EQ(shown(13'300, AmountKind::Factor), "13.3 ×");
    EXPECT_EQ(shown(1'074, AmountKind::Factor), "1.07 ×");
    EXPECT_EQ(shown(9'996, AmountKind::Factor), "10.0 ×");
    EXPECT_EQ(shown(1'234'567, AmountKind::Factor), "1,235 ×");
    EXPECT_EQ(exact(1'074, AmountKind::Factor), "1.074 ×");
    EXPECT_EQ(exact(13'300, AmountKind::Factor), "");
}

TEST(ReportCell, ShowsTheSmallestIntegerOfEveryKind)
{
    EXPECT_EQ(shown(kMin, AmountKind::Count), "−9,223,372,036,854,775,808");
    EXPECT_EQ(shown(kMin, AmountKind::PerMilleDelta), "−922,337,203,685,477,580.8 %");
    EXPECT_EQ(exact(kMin, AmountKind::ByteDelta), "−9,223,372,036,854,775,808 B");
}

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
