#include "core/figure/drawing/ticks.h"

#include <cmath>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "core/analysis/diff/matching/run_alignment.h"
#include "core/base/units.h"

namespace highwater {

using Labels = std::vector<std::string>;

TEST(RoundStep, IsOneTwoOrFiveTimesAPowerOfTen)
{
    EXPECT_EQ(roundStep(3.4), 5);
    EXPECT_EQ(roundStep(11), 20);
    EXPECT_EQ(roundStep(51), 100);
    EXPECT_EQ(roundStep(10), 10);
}

TEST(ByteTicks, StandAtRoundBinarySizes)
{
    EXPECT_EQ(byteTicks(0, 22.0 * kGiB, 5).labels, (Labels{"0", "5 GiB", "10 GiB", "15 GiB", "20 GiB"}));
    EXPECT_EQ(byteTicks(0, 1.5 * kGiB, 3).labels, (Labels{"0", "0.5 GiB", "1 GiB", "1.5 GiB"}));
    EXPECT_EQ(byteTicks(0, 1.0 * kGiB, 4).labels, (Labels{"0", "0.25 GiB", "0.5 GiB", "0.75 GiB", "1 GiB"}));
}

TEST(ByteTicks, HaveTheLargestUnitInWhichTheStepIsShort)
{
    EXPECT_EQ(byteTicks(0, 1'100.0 * kMiB, 11).labels.back(), "1,100 MiB");
    EXPECT_EQ(byteTicks(0, 1'100.0 * kMiB, 5).labels.back(), "1 GiB");
}

TEST(ByteTicks, ShowSomethingForNothing)
{
    EXPECT_EQ(byteTicks(0, 0, 5).labels, Labels{"0"});
    EXPECT_EQ(byteTicks(0, 1, 5).labels, (Labels{"0", "1 B"}));
}

TEST(CountTicks, AreWholeNumbersWithThousandsSeparated)
{
    EXPECT_EQ(countTicks(0, 19'464, 4).labels, (Labels{"0", "5,000", "10,000", "15,000"}));
    EXPECT_EQ(countTicks(0, 2, 10).labels, (Labels{"0", "1", "2"}));
    EXPECT_EQ(countTicks(7, 7, 10).labels, Labels{"7"});
}

TEST(ByteTicks, BeginAnywhere)
{
    EXPECT_EQ(byteTicks(0, 24.0 * kGiB, 6).labels, (Labels{"0", "5 GiB", "10 GiB", "15 GiB", "20 GiB"}));
    EXPECT_EQ(byteTicks(0, 900.0 * kMiB, 4).labels, (Labels{"0", "256 MiB", "512 MiB", "768 MiB"}));
    EXPECT_EQ(byteTicks(1.0 * kGiB, 1.6 * kGiB, 3).labels, (Labels{"1 GiB", "1.25 GiB", "1.5 GiB"}));
    EXPECT_EQ(byteTicks(0, 500, 5).labels, (Labels{"0", "100 B", "200 B", "300 B", "400 B", "500 B"}));
}

TEST(ByteTicks, AreNeverScientific)
{
    const std::regex plain("[\\d,]+(\\.\\d{1,2})? ([KMGT]i)?B");
    for (double top = 100; top < 1e14; top *= 3.7)
        for (const std::string& label : byteTicks(top / 3, top, 6).labels)
            EXPECT_TRUE(std::regex_match(label, plain)) << label;
}

TEST(CountTicks, CallWhatIsBeforeTheFirstTheStart)
{
    EXPECT_EQ(countTicks(0, 30000, 3).labels, (Labels{"0", "10,000", "20,000", "30,000"}));
    EXPECT_EQ(countTicks(-1, 2, 10).labels, (Labels{"start", "0", "1", "2"}));
}

struct TimesOf
{
    const char* name;
    double from;
    double to;
    int count;
    Labels labels;
};

class DurationTicksOf : public testing::TestWithParam<TimesOf>
{
};

TEST_P(DurationTicksOf, AreOffsetsInOneUnit)
{
    const TimesOf& of = GetParam();
    EXPECT_EQ(durationTicks(of.from, of.to, of.count).labels, of.labels);
}

INSTANTIATE_TEST_SUITE_P(Spans, DurationTicksOf,
    testing::Values(TimesOf{"Nanoseconds", 0, 900, 3, {"0 ns", "+500 ns"}},
        TimesOf{"Microseconds", 0, 4e3, 4, {"0 µs", "+1 µs", "+2 µs", "+3 µs", "+4 µs"}},
        TimesOf{"Milliseconds", 0, 4e6, 4, {"0 ms", "+1 ms", "+2 ms", "+3 ms", "+4 ms"}},
        TimesOf{"Seconds", 0, 1.5e9, 3, {"0.0 s", "+0.5 s", "+1.0 s", "+1.5 s"}},
        TimesOf{"PartOfSeconds", 1.2e9, 1.3e9, 2, {"+1.20 s", "+1.25 s", "+1.30 s"}},
        TimesOf{"AlmostAMinute", 0, 59e9, 4, {"0 s", "+15 s", "+30 s", "+45 s"}},
        TimesOf{"OverAMinute", 0, 150e9, 5,
            {"0:00 min", "+0:30 min", "+1:00 min", "+1:30 min", "+2:00 min", "+2:30 min"}},
        TimesOf{"InTheSecondMinute", 74.9e9, 75.3e9, 4,
            {"+1:14.9 min", "+1:15.0 min", "+1:15.1 min", "+1:15.2 min", "+1:15.3 min"}},
        TimesOf{"DeepInTheSecondMinute", 75e9, 75e9 + 400, 2,
            {"+1:15.0000000 min", "+1:15.0000002 min", "+1:15.0000004 min"}},
        TimesOf{"WholeMinutes", 0, 1200e9, 4, {"0 min", "+5 min", "+10 min", "+15 min", "+20 min"}},
        TimesOf{"MinutesOfHours", 3600e9, 9000e9, 4, {"+1 h", "+1 h 30 min", "+2 h", "+2 h 30 min"}},
        TimesOf{
            "SecondsOfHours", 3720e9, 3765e9, 3, {"+1:02:00 h", "+1:02:15 h", "+1:02:30 h", "+1:02:45 h"}},
        TimesOf{"Hours", 0, 10800e9, 3, {"0 min", "+1 h", "+2 h", "+3 h"}},
        TimesOf{"Days", 0, 86400e9 * 4, 3, {"0 min", "+48 h", "+96 h"}}),
    [](const auto& of) { return std::string(of.param.name); });

TEST(DurationTicks, AreNeverScientificOrThereTwice)
{
    const std::regex plain("\\+?([\\d,]+(\\.\\d+)? (ns|µs|ms|s|min|h)|[\\d,]+ h \\d+ min|"
                           "\\d+:\\d\\d(\\.\\d+)? min|\\d+:\\d\\d:\\d\\d(\\.\\d+)? h)");
    for (const double from : {0.0, 3.0e5, 7.5e10, 5.0e12, 9.1e13})
        for (double width = 1000; width < 3e14; width *= 2.9) {
            const Labels labels = durationTicks(from, from + width, 8).labels;
            for (const std::string& label : labels)
                EXPECT_TRUE(std::regex_match(label, plain)) << label;
            EXPECT_EQ(std::set<std::string>(labels.begin(), labels.end()).size(), labels.size());
        }
}

TEST(MarkTicks, NameAsManyPlacesAsAskedForAndTheSameOnesWhileTheViewMoves)
{
    const std::vector<AxisMark> marks{{0, "step 0"}, {10, "step 1"}, {20, "step 2"}, {30, "step 3"}};
    EXPECT_EQ(markTicks(marks, 40, 0, 40, 4).labels, (Labels{"step 0", "step 1", "step 2", "step 3"}));
    EXPECT_EQ(markTicks(marks, 40, 0, 40, 2).labels, (Labels{"step 0", "step 2"}));
    EXPECT_EQ(markTicks(marks, 40, 5, 40, 2).labels, Labels{"step 2"});
}

TEST(MarkTicks, AreSharesOfTheOnlyOneInView)
{
    const std::vector<AxisMark> marks{{0, "step 0"}, {10, "step 1"}};
    const Ticks first = markTicks(marks, 20, 2, 4.5, 3);
    EXPECT_EQ(first.labels, (Labels{"step 0 · 20%", "step 0 · 30%", "step 0 · 40%"}));
    EXPECT_DOUBLE_EQ(first.positions[1], 3);
    EXPECT_EQ(markTicks(marks, 20, 10, 20, 2).labels, (Labels{"step 1", "step 1 · 50%", "step 1 · 100%"}));
    EXPECT_EQ(markTicks(marks, 20, 0, 10, 2).labels, (Labels{"step 0", "step 0 · 50%", "step 0 · 100%"}));
    EXPECT_TRUE(markTicks({}, 20, 0, 20, 2).labels.empty());
}

TEST(MarkTicks, AreBareSharesOfAMarkWithoutAName)
{
    EXPECT_EQ(markTicks({{0, ""}}, 20, 0, 20, 2).labels, (Labels{"0%", "50%", "100%"}));
}

} // namespace highwater
