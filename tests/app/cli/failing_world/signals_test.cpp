#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/program/program_commands.h"
#include "tests/support/program/started_program.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

using test::kFragmentedFile;

namespace {

namespace fs = std::filesystem;

/// True if the program finished, reported an interruption, or was killed because it did not handle signals
/// yet.
bool isAnEnd(int status, int signal)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 130
                             : WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

bool isDone(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

class Signal : public testing::TestWithParam<test::ProgramCommand>
{
};

/// Each call sends the signal a little later, until the program ends before it.
TEST_P(Signal, AtAnyMomentLeavesTheWholeOutputOrNothing)
{
    const test::TemporaryFolder folder;
    const test::TemporaryFolder other;
    const std::string said = other.write("said", "");
    const test::Words words
        = test::wordsOf(GetParam(), kFragmentedFile, test::kGrpoFile, (folder.path() / "out").string());
    int late = 0;
    for (long delay = 0; late < 2; delay += 700 + delay / 2) {
        const int signal = late + delay % 2 == 0 ? SIGINT : SIGTERM;
        test::StartedProgram program(words, said);
        late += program.endsWithin(delay) ? 1 : 0;
        program.send(signal);
        const int status = program.wait();
        ASSERT_TRUE(isAnEnd(status, signal)) << status << ' ' << test::readWholeFile(said);
        EXPECT_EQ(!GetParam().ending.empty() && isDone(status), !fs::is_empty(folder.path()));
        EXPECT_EQ(
            WIFEXITED(status) && WEXITSTATUS(status) == 130, test::isOneLine(test::readWholeFile(said)));
        fs::remove_all(folder.path());
        fs::create_directory(folder.path());
    }
}

INSTANTIATE_TEST_SUITE_P(During, Signal, testing::ValuesIn(test::allCommands()), test::nameOfCommand);

/// Puts a named pipe that nobody writes to in place of each file that a command reads.
TEST(Signal, EndsTheWaitForAPipe)
{
    const test::TemporaryFolder folder;
    const std::string said = folder.write("said", "");
    const std::string pipe = (folder.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::string out = (folder.path() / "out.html").string();
    for (const test::Words& words : {test::Words{"info", pipe}, {"report", pipe, "-o", out}, {"bench", pipe},
             {"report", kFragmentedFile, "--before", pipe, "-o", out},
             {"report", "--workspace", pipe, "-o", out},
             {"report", kFragmentedFile, "--notes", pipe, "-o", out},
             {"peaks", kFragmentedFile, "--rules", pipe}, {"budget", "--config", pipe},
             {"findings", kFragmentedFile, "--config", pipe},
             {"check", kFragmentedFile, "--baseline", pipe, "--max-peak-increase", "5%"}}) {
        // A signal that comes before the program handles signals kills it; try again later then.
        int status = SIGINT;
        for (long delay = 20'000; WIFSIGNALED(status); delay *= 2) {
            test::StartedProgram program(words, said);
            ASSERT_FALSE(program.endsWithin(delay)) << test::joined(words) << test::readWholeFile(said);
            program.send(SIGINT);
            status = program.wait();
        }
        EXPECT_EQ(WEXITSTATUS(status), 130) << test::joined(words);
        EXPECT_EQ(test::readWholeFile(said), "highwater: " + pipe + ": cancelled\n") << test::joined(words);
        EXPECT_FALSE(fs::exists(out));
    }
}

/// Stopping and continuing a process interrupts its system calls (EINTR).
TEST(StoppedProgram, GoesOnWithWhatItWaitedFor)
{
    const test::TemporaryFolder folder;
    const std::string said = folder.write("said", "");
    const std::string pipe = (folder.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::string bytes = test::readWholeFile(kFragmentedFile);
    test::StartedProgram program({"info", pipe}, said);
    const auto stopAndGoOn = [&] {
        for (int i = 0; i < 20; ++i) {
            program.send(SIGSTOP);
            program.send(SIGCONT);
        }
    };
    ASSERT_FALSE(program.endsWithin(20'000));
    stopAndGoOn();
    const int writer = ::open(pipe.c_str(), O_WRONLY);
    ASSERT_GE(writer, 0);
    for (std::size_t at = 0; at < bytes.size(); at += 1000) {
        const std::size_t count = std::min<std::size_t>(1000, bytes.size() - at);
        ASSERT_EQ(::write(writer, bytes.data() + at, count), static_cast<ssize_t>(count));
        stopAndGoOn();
    }
    ::close(writer);
    EXPECT_TRUE(isDone(program.wait()));
    EXPECT_EQ(test::readWholeFile(said), "");
}

/// A command that is stopped and continued at any time writes its normal output.
TEST(StoppedProgram, WritesTheWholeOutput)
{
    const test::TemporaryFolder folder;
    const std::string said = folder.write("said", "");
    const std::string out = (folder.path() / "out.hwt").string();
    const test::Words words{"convert", test::kGrpoFile, "-o", out, "--force"};
    ASSERT_EQ(test::runHighwater(words).exitCode, 0);
    const std::string whole = test::readWholeFile(out);
    for (long pause = 100; pause < 20'000; pause *= 3) {
        test::StartedProgram program(words, said);
        while (!program.endsWithin(pause)) {
            program.send(SIGSTOP);
            program.send(SIGCONT);
        }
        EXPECT_TRUE(isDone(program.wait())) << test::readWholeFile(said);
        EXPECT_EQ(test::readWholeFile(out), whole);
    }
}

} // namespace highwater::cli
