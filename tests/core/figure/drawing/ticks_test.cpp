#include "core/figure/drawing/ticks.h"

#include <gtest/gtest.h>

namespace highwater {

using Labels = std::vector<std::string>;

TEST(ByteTicks, StandAtRoundBinarySizes)
{
    EXPECT_EQ(byteTicks(22 * kGiB, 5).labels, (Labels{"0 GiB", "5 GiB", "10 GiB", "15 GiB", "20 GiB"}));
    EXPECT_EQ(byteTicks(3 * kGiB / 2, 3).labels, (Labels{"0 MiB", "512 MiB", "1 GiB", "1.5 GiB"}));
    EXPECT_EQ(byteTicks(kGiB, 4).labels, (Labels{"0 MiB", "256 MiB", "512 MiB", "768 MiB", "1 GiB"}));
}

TEST(ByteTicks, ShowSomethingForNothing)
{
    EXPECT_EQ(byteTicks(0, 5).labels, Labels{"0 B"});
    EXPECT_EQ(byteTicks(1, 5).labels, (Labels{"0 B", "1 B"}));
}

TEST(CountTicks, AreWholeNumbersWithThousandsSeparated)
{
    EXPECT_EQ(countTicks(0, 19'464, 4).labels, (Labels{"0", "5,000", "10,000", "15,000"}));
    EXPECT_EQ(countTicks(0, 2, 10).labels, (Labels{"0", "1", "2"}));
    EXPECT_EQ(countTicks(7, 7, 10).labels, Labels{"7"});
}

TEST(DurationTicks, ShareOneUnit)
{
    EXPECT_EQ(durationTicks(0, 2'500'000'000, 5).labels,
        (Labels{"0.0 s", "0.5 s", "1.0 s", "1.5 s", "2.0 s", "2.5 s"}));
    EXPECT_EQ(durationTicks(0, 40'000, 2).labels, (Labels{"0 µs", "20 µs", "40 µs"}));
}

} // namespace highwater
