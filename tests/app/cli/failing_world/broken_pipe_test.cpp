#include <csignal>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/program/program_commands.h"
#include "tests/support/run_program.h"

namespace highwater::cli {

namespace {

/// Makes standard output of the child a pipe that nobody reads, as in `| head -0`.
void takeBrokenPipe()
{
    int ends[2] = {};
    if (::pipe(ends) != 0 || ::dup2(ends[1], STDOUT_FILENO) < 0)
        ::_exit(122);
    ::close(ends[0]);
    ::close(ends[1]);
}

} // namespace

class BrokenPipe : public testing::TestWithParam<test::ProgramCommand>
{
};

TEST_P(BrokenPipe, EndsTheProgramInSilence)
{
    const test::ProgramRun run
        = test::runHighwater(test::wordsOf(GetParam(), test::kFragmentedFile), {.inChild = [] {
              ::signal(SIGPIPE, SIG_DFL);
              takeBrokenPipe();
          }});
    EXPECT_EQ(run.exitCode, -1) << "SIGPIPE, as it is usual";
    EXPECT_EQ(run.err, "");
}

TEST_P(BrokenPipe, IsAnErrorOfWritingWhereTheSignalIsIgnored)
{
    const test::ProgramRun run
        = test::runHighwater(test::wordsOf(GetParam(), test::kFragmentedFile), {.inChild = [] {
              ::signal(SIGPIPE, SIG_IGN);
              takeBrokenPipe();
          }});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(run.err.starts_with("highwater: standard output: ")) << run.err;
    EXPECT_TRUE(run.err.ends_with(": Broken pipe\n")) << run.err;
}

INSTANTIATE_TEST_SUITE_P(Of, BrokenPipe, testing::ValuesIn(test::printingCommands()), test::nameOfCommand);

} // namespace highwater::cli
