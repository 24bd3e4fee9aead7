#include "core/base/progress.h"

#include <vector>

#include <gtest/gtest.h>

namespace highwater {

namespace {

struct Recorder : ProgressSink
{
    void progressed(std::uint64_t done, std::uint64_t total) override { reports.emplace_back(done, total); }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> reports;
};

} // namespace

TEST(ThrottledProgress, AlwaysPassesOnTheEnd)
{
    Recorder recorder;
    ThrottledProgress progress(&recorder);
    for (std::uint64_t i = 0; i <= 10000; ++i)
        progress.report(i, 10000);
    ASSERT_FALSE(recorder.reports.empty());
    EXPECT_EQ(recorder.reports.back().first, 10000u);
}

TEST(ThrottledProgress, LeavesOutMostReportsOfFastWork)
{
    Recorder recorder;
    ThrottledProgress progress(&recorder);
    for (std::uint64_t i = 0; i <= 10000; ++i)
        progress.report(i, 10000);
    EXPECT_LT(recorder.reports.size(), 5000u);
}

TEST(ThrottledProgress, NeedsNoSink)
{
    ThrottledProgress progress(nullptr);
    progress.report(1, 1);
    SUCCEED();
}

TEST(StopToken, IsSharedByItsCopies)
{
    const StopToken token;
    const StopToken copy = token;
    EXPECT_FALSE(copy.stopRequested());
    token.requestStop();
    EXPECT_TRUE(copy.stopRequested());
}

} // namespace highwater
