#include "app/loading/sweep_file.h"

#include <gtest/gtest.h>

#include "tests/support/sample_files.h"

namespace highwater {

TEST(SweepFile, KeepsTheFiguresOfTheDeviceWithTheLargestPeak)
{
    const auto run
        = readSweepRun(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {}, {}, std::nullopt);
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->peakBytes, 24287511136);
    EXPECT_EQ(run->quantity, Quantity::Requested);
    EXPECT_FALSE(run->inferred);
}

TEST(SweepFile, CountsInTheQuantityThatIsAskedFor)
{
    const auto run = readSweepRun(
        test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {}, {}, Quantity::Allocated);
    ASSERT_TRUE(run.has_value());
    EXPECT_GT(run->peakBytes, 24287511136);
    EXPECT_TRUE(run->inferred);
}

TEST(SweepFile, RefusesWhatHoldsNoMemoryEvents)
{
    const auto run = readSweepRun(test::samplePath("logs/r5-flan-t5-xl.log"), {}, {}, std::nullopt);
    ASSERT_FALSE(run.has_value());
    EXPECT_EQ(run.error().code, ErrorCode::BadRequest);
}

} // namespace highwater
