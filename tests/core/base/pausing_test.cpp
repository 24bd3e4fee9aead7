#include "core/base/pausing.h"

#include <gtest/gtest.h>

#include "core/base/interruption.h"

namespace highwater {

namespace {

int outerPauses = 0;
int innerPauses = 0;

} // namespace

TEST(Pausing, ComesAtEachInterruptionPointOfItsScope)
{
    outerPauses = 0;
    {
        const PausingScope scope([] { ++outerPauses; });
        interruptionPoint();
        interruptionPoint();
    }
    interruptionPoint();
    EXPECT_EQ(outerPauses, 2);
}

TEST(Pausing, IsThatOfTheInnermostScope)
{
    outerPauses = innerPauses = 0;
    const PausingScope outer([] { ++outerPauses; });
    {
        const PausingScope inner([] { ++innerPauses; });
        interruptionPoint();
    }
    interruptionPoint();
    EXPECT_EQ(innerPauses, 1);
    EXPECT_EQ(outerPauses, 1);
}

TEST(Pausing, HearsAStopRequestThatComesMeanwhile)
{
    static const StopToken stop;
    const InterruptibleScope interruptible(stop);
    const PausingScope scope([] { stop.requestStop(); });
    EXPECT_THROW(interruptionPoint(), WorkCancelled);
}

} // namespace highwater
