#include "core/base/interruption.h"

#include <gtest/gtest.h>

namespace highwater {

TEST(Interruption, DoesNothingOutsideOfAScope)
{
    EXPECT_NO_THROW(interruptionPoint());
}

TEST(Interruption, EndsTheWorkOfItsScopeAfterARequestToStop)
{
    const StopToken stop;
    const InterruptibleScope scope(stop);
    EXPECT_NO_THROW(interruptionPoint());
    stop.requestStop();
    EXPECT_THROW(interruptionPoint(), WorkCancelled);
}

TEST(Interruption, ListensToTheInnermostScope)
{
    const StopToken outer;
    outer.requestStop();
    const InterruptibleScope scope(outer);
    {
        const InterruptibleScope inner{StopToken()};
        EXPECT_NO_THROW(interruptionPoint());
    }
    EXPECT_THROW(interruptionPoint(), WorkCancelled);
}

TEST(Interruption, ThrowsNothingWhileAnExceptionUnwinds)
{
    struct TidiesUp
    {
        ~TidiesUp() { interruptionPoint(); }
    };
    const StopToken stop;
    stop.requestStop();
    const InterruptibleScope scope(stop);
    EXPECT_THROW(
        {
            const TidiesUp tidies;
            throw 1;
        },
        int);
}

TEST(InterruptionCounter, LooksOnceInManyRounds)
{
    const StopToken stop;
    const InterruptibleScope scope(stop);
    stop.requestStop();
    InterruptionCounter counter;
    int rounds = 0;
    EXPECT_THROW(for (;; ++rounds) counter.round(), WorkCancelled);
    EXPECT_EQ(rounds, 4095);
}

} // namespace highwater
