#include "app/rehearse/child_process.h"

#include <gtest/gtest.h>

#include "core/base/interruption.h"
#include "tests/support/sample_files.h"

namespace highwater::rehearse {

TEST(ChildProcess, HearsTheSignalsThatComeToItsParent)
{
    const std::string script = "trap 'exit 7' TERM; kill -TERM $PPID; while :; do :; done";
    const ChildEnd end = runChild({"/bin/sh", "-c", script}, {}, false).value();
    EXPECT_EQ(end.exitCode, 7);
    EXPECT_TRUE(end.isInterrupted);
}

TEST(ChildProcess, IsNotInterruptedWhereNobodySentASignal)
{
    EXPECT_FALSE(runChild({"/bin/sh", "-c", "exit 3"}, {}, false).value().isInterrupted);
}

TEST(ChildProcess, IsNotStartedAfterARequestToStop)
{
    const test::TemporaryFolder folder;
    const std::string made = (folder.path() / "made").string();
    const StopToken stop;
    stop.requestStop();
    const InterruptibleScope scope(stop);
    EXPECT_THROW(runChild({"/bin/sh", "-c", "touch " + made}, {}, false), WorkCancelled);
    EXPECT_FALSE(std::filesystem::exists(made));
}

} // namespace highwater::rehearse
