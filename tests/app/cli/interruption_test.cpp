#include <array>
#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/analysis/detectors/detectors.h"
#include "core/analysis/device/device_study.h"
#include "core/base/interruption.h"
#include "importers/registry/open_trace.h"
#include "tests/support/run_program.h"
#include "tests/support/sample_files.h"

namespace highwater::cli {

namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

/// The program while it reads its standard input; this class holds the other end of the pipe.
class WaitingProgram
{
public:
    explicit WaitingProgram(std::vector<std::string> words)
    {
        int ends[2] = {};
        if (::pipe2(ends, O_CLOEXEC) != 0)
            throw std::runtime_error("no pipe");
        m_input = ends[1];
        m_child = ::fork();
        if (m_child == 0)
            become(ends[0], words);
        ::close(ends[0]);
        // Once the program has read the input, it has been handling signals for a while.
        const std::string begin = "{\"schemaVersion\": 1, \"traceEvents\": [";
        std::ignore = ::write(m_input, begin.data(), begin.size());
        int untaken = 1;
        while (untaken > 0 && ::ioctl(m_input, FIONREAD, &untaken) == 0)
            ::sched_yield();
    }
    ~WaitingProgram() { ::close(m_input); }

    /// Sends a signal and returns the status for WIFEXITED and the like.
    int end(int signal) const
    {
        ::kill(m_child, signal);
        int status = 0;
        ::waitpid(m_child, &status, 0);
        return status;
    }

private:
    [[noreturn]] static void become(int input, std::vector<std::string>& words)
    {
        words.insert(words.begin(), test::programPath());
        std::vector<char*> pointers;
        for (std::string& word : words)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        for (const int signal : kSignals) // nohup makes programs ignore these signals
            ::signal(signal, SIG_DFL);
        const int nothing = ::open("/dev/null", O_WRONLY);
        ::dup2(input, STDIN_FILENO);
        ::dup2(nothing, STDOUT_FILENO);
        ::dup2(nothing, STDERR_FILENO);
        ::execv(pointers[0], pointers.data());
        ::_exit(127);
    }

    int m_input = -1;
    pid_t m_child = -1;
};

std::shared_ptr<const Trace> sample()
{
    Result<ImportedTrace> imported
        = openTrace(test::samplePath("pytorch-snapshot/r1-grpo-before.pickle.zst"), {});
    return imported ? imported->trace : nullptr;
}

} // namespace

TEST(Interruption, BySignalEndsWithItsExitCodeAndLeavesNothing)
{
    const test::TemporaryFolder folder;
    const std::string out = (folder.path() / "out.csv").string();
    for (const int signal : kSignals)
        for (const std::vector<std::string>& arguments :
            {std::vector<std::string>{"info", "-"}, {"findings", "-"}, {"what-if", "-"},
                {"export", "-", "--what", "events", "-o", out}, {"report", "-", "-o", out + ".html"}}) {
            const int status = WaitingProgram(arguments).end(signal);
            ASSERT_TRUE(WIFEXITED(status)) << arguments.front() << ", signal " << signal;
            EXPECT_EQ(WEXITSTATUS(status), 130) << arguments.front() << ", signal " << signal;
            EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << arguments.front();
        }
}

TEST(Interruption, EndsTheStudyOfADevice)
{
    const std::shared_ptr<const Trace> trace = sample();
    ASSERT_TRUE(trace);
    const StopToken stop;
    stop.requestStop();
    const InterruptibleScope scope(stop);
    EXPECT_THROW(DeviceStudy(*trace, 0), WorkCancelled);
}

TEST(Interruption, EndsTheSearchForFindings)
{
    const std::shared_ptr<const Trace> trace = sample();
    ASSERT_TRUE(trace);
    const DeviceStudy study(*trace, 0);
    const StopToken stop;
    stop.requestStop();
    const InterruptibleScope scope(stop);
    EXPECT_THROW(findFindings(DetectorInput(study)), WorkCancelled);
}

} // namespace highwater::cli
