#include "app/loading/run/sweep_file.h"

#include <gtest/gtest.h>

#include "app/loading/load_file.h"
#include "tests/support/sample_files.h"

namespace highwater {

namespace {

Result<SweepRun> figuresOf(const std::string& name, std::optional<Quantity> quantity = std::nullopt)
{
    const std::string path = test::samplePath(name);
    return sweepRun(path, loadFile(path, {}), {}, quantity);
}

} // namespace

TEST(SweepFile, KeepsTheFiguresOfTheDeviceWithTheLargestPeak)
{
    const auto run = figuresOf("pytorch-snapshot/r1-grpo-before.pickle.zst");
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->peakBytes, 24287511136);
    EXPECT_EQ(run->quantity, Quantity::Requested);
    EXPECT_FALSE(run->isInferred);
}

TEST(SweepFile, CountsInTheQuantityThatIsAskedFor)
{
    const auto run = figuresOf("pytorch-snapshot/r1-grpo-before.pickle.zst", Quantity::Allocated);
    ASSERT_TRUE(run.has_value());
    EXPECT_GT(run->peakBytes, 24287511136);
    EXPECT_TRUE(run->isInferred);
}

TEST(SweepFile, FailsAsReadingDid)
{
    EXPECT_EQ(figuresOf("no-such-file").error().code, ErrorCode::CannotRead);
}

TEST(SweepFile, RefusesWhatHoldsNoMemoryEvents)
{
    const auto run = figuresOf("logs/r5-flan-t5-xl.log");
    ASSERT_FALSE(run.has_value());
    EXPECT_EQ(run.error().code, ErrorCode::BadRequest);
}

} // namespace highwater
