#include "app/rehearse/child_process.h"

#include <array>
#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/interruption.h"
#include "tests/support/sample_files.h"

namespace highwater::rehearse {

TEST(ChildProcess, HearsTheSignalsThatComeToItsParent)
{
    const std::string script = "trap 'exit 7' TERM; kill -TERM $PPID; while :; do :; done";
    const ChildEnd end = runChild({"/bin/sh", "-c", script}, {}, ChildOutput::Kept).value();
    EXPECT_EQ(end.exitCode, 7);
    EXPECT_TRUE(end.isInterrupted);
}

TEST(ChildProcess, IsNotInterruptedWhereNobodySentASignal)
{
    EXPECT_FALSE(runChild({"/bin/sh", "-c", "exit 3"}, {}, ChildOutput::Kept).value().isInterrupted);
}

TEST(ChildProcess, SaysWhyItCannotBeStarted)
{
    const std::string message = runChild({"/no/such/program"}, {}, ChildOutput::Kept).error().message;
    EXPECT_TRUE(message.starts_with("/no/such/program ")) << message;
    EXPECT_TRUE(message.ends_with(": No such file or directory")) << message;
}

TEST(ChildProcess, GetsTheChangedEnvironment)
{
    EXPECT_EQ(runChild({"/bin/sh", "-c", "exit $CODE"}, {"CODE=9"}, ChildOutput::Kept).value().exitCode, 9);
}

TEST(ChildProcess, IsKilledWithItsParent)
{
    std::array<int, 2> pipe{}; // open for as long as the child lives
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t parent = ::fork();
    if (parent == 0) {
        ::close(pipe[0]);
        ::dup2(pipe[1], 9);
        runChild(
            {"/bin/sh", "-c", "trap '' TERM HUP; echo $$ >&9; while :; do :; done"}, {}, ChildOutput::Kept);
        ::_exit(0);
    }
    ::close(pipe[1]);
    std::array<char, 32> pid{};
    ASSERT_GT(::read(pipe[0], pid.data(), pid.size() - 1), 0);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    pollfd end{pipe[0], POLLIN, 0};
    const bool isGone = ::poll(&end, 1, 60'000) == 1;
    EXPECT_TRUE(isGone);
    if (!isGone)
        ::kill(std::atoi(pid.data()), SIGKILL);
    ::close(pipe[0]);
}

TEST(ChildProcess, SaysWhetherWhatItStartedRunsStill)
{
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    ASSERT_EQ(::fcntl(pipe[1], F_SETFD, FD_CLOEXEC), 0);
    const std::string waits = fmt::format("(read line <&{}) &", pipe[0]); // until the test closes its end
    EXPECT_TRUE(runChild({"/bin/sh", "-c", waits}, {}, ChildOutput::Kept)->hasLeftProcesses);
    ::close(pipe[1]);
    ::close(pipe[0]);
    EXPECT_FALSE(runChild({"/bin/sh", "-c", "(exit 0) &"}, {}, ChildOutput::Kept)->hasLeftProcesses);
}

TEST(ChildProcess, LeavesNothingRunningWhereNobodySeesIt)
{
    std::array<int, 2> pipe{}; // open as long as the started processes live
    ASSERT_EQ(::pipe(pipe.data()), 0);
    ASSERT_EQ(::fcntl(pipe[0], F_SETFD, FD_CLOEXEC), 0);
    runChild({"/bin/sh", "-c", "(trap '' TERM; while :; do :; done) & while :; do :; done"}, {},
        ChildOutput::Discarded, std::chrono::seconds{0});
    ::close(pipe[1]);
    pollfd end{pipe[0], POLLIN, 0};
    EXPECT_EQ(::poll(&end, 1, 0), 1);
    ::close(pipe[0]);
}

TEST(ChildProcess, IsStoppedAfterItsLimit)
{
    const auto end = runChild(
        {"/bin/sh", "-c", "while :; do :; done"}, {}, ChildOutput::Discarded, std::chrono::seconds{0});
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_TRUE(end->isOverLimit);
    EXPECT_EQ(end->exitCode, 128 + SIGTERM);
    EXPECT_FALSE(runChild({"/bin/sh", "-c", "exit 0"}, {}, ChildOutput::Discarded, std::chrono::seconds{60})
                     ->isOverLimit);
}

TEST(ChildProcess, LeavesItsErrorsInAFile)
{
    const test::TemporaryFolder folder;
    const std::string errors = (folder.path() / "errors").string();
    runChild({"/bin/sh", "-c", "echo seen >&2"}, {}, ChildOutput::Discarded, std::nullopt, errors);
    EXPECT_EQ(test::readWholeFile(errors), "seen\n");
}

TEST(ChildProcess, IsNotStartedAfterARequestToStop)
{
    const test::TemporaryFolder folder;
    const std::string made = (folder.path() / "made").string();
    const StopToken stop;
    stop.requestStop();
    const InterruptibleScope scope(stop);
    EXPECT_THROW(runChild({"/bin/sh", "-c", "touch " + made}, {}, ChildOutput::Kept), WorkCancelled);
    EXPECT_FALSE(std::filesystem::exists(made));
}

} // namespace highwater::rehearse
