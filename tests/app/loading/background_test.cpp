#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <thread>

#include "app/loading/background.h"

namespace highwater {

TEST(SideBySide, DoesEachPieceOfWorkOnce)
{
    std::array<std::atomic<int>, 100> done{};
    sideBySide(done.size(), [&](std::size_t i) { ++done[i]; });
    for (const std::atomic<int>& times : done)
        EXPECT_EQ(times, 1);
    sideBySide(0, [](std::size_t) { FAIL() << "there is nothing to do"; });
}

/// The first piece waits until another thread has finished the second one.
TEST(SideBySide, RunsOnAnotherThreadToo)
{
    if (std::thread::hardware_concurrency() < 2)
        GTEST_SKIP() << "needs two processors";
    std::promise<std::thread::id> second;
    sideBySide(2, [&](std::size_t i) {
        if (i == 1)
            second.set_value(std::this_thread::get_id());
        else
            EXPECT_NE(second.get_future().get(), std::this_thread::get_id());
    });
}

TEST(SideBySide, PassesOnWhatIsThrownAndLeavesOutWhatHasNotBegun)
{
    std::atomic<int> begun = 0;
    EXPECT_THROW(sideBySide(1'000'000,
                     [&](std::size_t) {
                         ++begun;
                         throw std::runtime_error("no");
                     }),
        std::runtime_error);
    EXPECT_LE(begun, 4) << "one in each thread";
}

TEST(SideBySide, HearsAStopRequestInAllItsThreads)
{
    const StopToken stop;
    stop.requestStop();
    const InterruptibleScope scope(stop);
    EXPECT_THROW(sideBySide(8, [](std::size_t) { interruptionPoint(); }), WorkCancelled);
}

} // namespace highwater
