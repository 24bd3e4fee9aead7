#include "app/rehearse/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/interruption.h"

extern char** environ;

namespace highwater::rehearse {

namespace {

constexpr std::size_t kMaxOutput = std::size_t{64} << 20;

std::vector<char*> pointersTo(std::vector<std::string>& words)
{
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Returns this program's environment with changed and additional variables.
std::vector<std::string> environmentWith(const Environment& changes)
{
    std::vector<std::string> environment = changes;
    const auto isChanged = [&](const std::string& entry) {
        const std::string name = entry.substr(0, entry.find('=') + 1);
        for (const std::string& change : changes)
            if (change.starts_with(name))
                return true;
        return false;
    };
    for (char** entry = environ; *entry; ++entry)
        if (!isChanged(*entry))
            environment.emplace_back(*entry);
    return environment;
}

int exitCodeOf(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Waits for the end of a child and returns its exit code.
int waitFor(pid_t child)
{
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    return exitCodeOf(status);
}

/// Waits until the limit, then ends the child, by force if necessary. Returns false if it ended in time.
bool stopAtLimit(pid_t child, std::chrono::seconds limit)
{
    constexpr std::chrono::seconds kTimeToWriteFiles{20};
    if (endsWithin(child, limit))
        return false;
    ::kill(child, SIGTERM);
    if (!endsWithin(child, kTimeToWriteFiles))
        ::kill(child, SIGKILL);
    return true;
}

Error cannotStart(const std::string& program, int error)
{
    return {ErrorCode::BadRequest, program + " cannot be started: " + std::strerror(error), {}};
}

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP}; ///< signals that are passed on

volatile std::sig_atomic_t runningChild = 0;
volatile std::sig_atomic_t earlySignal = 0; ///< arrived before the child was started; 0 if none did

volatile std::sig_atomic_t hasPassedOn = 0;

void passSignalOn(int signal)
{
    hasPassedOn = 1;
    if (runningChild > 0)
        ::kill(static_cast<pid_t>(runningChild), signal);
    else
        earlySignal = signal;
}

/// While an object of this class exists, signals that would end this program are passed on to the child.
class SignalForwarding
{
public:
    SignalForwarding()
    {
        earlySignal = 0;
        hasPassedOn = 0;
        struct sigaction action = {};
        action.sa_handler = passSignalOn;
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            ::sigaction(kSignals[i], &action, &m_oldActions[i]);
    }
    ~SignalForwarding()
    {
        runningChild = 0;
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            ::sigaction(kSignals[i], &m_oldActions[i], nullptr);
    }
    SignalForwarding(const SignalForwarding&) = delete;
    SignalForwarding& operator=(const SignalForwarding&) = delete;

private:
    std::array<struct sigaction, kSignals.size()> m_oldActions{};
};

/// Returns the children of all threads of this program.
std::vector<pid_t> children()
{
    std::vector<pid_t> found;
    std::error_code error;
    for (std::filesystem::directory_iterator thread("/proc/self/task", error), end; !error && thread != end;
         thread.increment(error)) {
        std::ifstream file(thread->path() / "children");
        for (pid_t child = 0; file >> child;)
            found.push_back(child);
    }
    return found;
}

/// While an object of this class exists, a descendant of this program whose parent ends becomes this
/// program's child.
class OrphanAdoption
{
public:
    OrphanAdoption() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
    ~OrphanAdoption() { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
    OrphanAdoption(const OrphanAdoption&) = delete;
    OrphanAdoption& operator=(const OrphanAdoption&) = delete;

    /// Returns true if children are still running after this time. Helper processes need some time to notice
    /// that their program has ended.
    [[nodiscard]] bool areRunningAfter(std::chrono::milliseconds patience) const
    {
        constexpr timespec kPause{0, 20'000'000};
        const auto end = std::chrono::steady_clock::now() + patience;
        for (;;) {
            const pid_t ended = ::waitpid(-1, nullptr, WNOHANG);
            if (ended < 0 && errno != EINTR)
                return false;
            if (ended == 0 && std::chrono::steady_clock::now() >= end)
                return true;
            if (ended == 0)
                ::nanosleep(&kPause, nullptr);
        }
    }
    /// Ends all children and their descendants: the children of a killed process become this program's
    /// children, which the next round kills.
    void endChildren() const
    {
        constexpr std::chrono::seconds kTimeToWriteFiles{5};
        constexpr int kMaxGenerations = 64;
        for (const pid_t child : children())
            ::kill(child, SIGTERM);
        std::chrono::milliseconds patience = kTimeToWriteFiles;
        for (int i = 0; i < kMaxGenerations && areRunningAfter(patience); ++i) {
            for (const pid_t child : children())
                ::kill(child, SIGKILL);
            patience = std::chrono::milliseconds(100);
        }
    }
};

/// A program to be started, prepared before the fork, since the new process may allocate nothing.
struct ProgramStart
{
    std::vector<char*> command;
    std::vector<char*> environment;
    int output = -1; ///< file that becomes its standard output; −1 keeps this program's
    int errors = -1; ///< file that becomes its standard error; −1 keeps this program's
    int failure = -1; ///< pipe that receives the errno if the program cannot be started
    pid_t parent = 0;
    sigset_t signals = {}; ///< the signals that the program blocks
};

/// Resets this program's signal handlers in the child: until the new program begins, a signal must end the
/// child instead of being lost.
void resetSignalHandlers()
{
    for (const int signal : kSignals) {
        struct sigaction action = {};
        ::sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN)
            ::signal(signal, SIG_DFL);
    }
}

/// Runs in the child. The child is killed with its parent, which may already have ended before the child
/// could request that.
[[noreturn]] void executeProgram(const ProgramStart& start)
{
    resetSignalHandlers();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != start.parent)
        ::_exit(127);
    if (start.output >= 0)
        ::dup2(start.output, STDOUT_FILENO);
    if (start.errors >= 0)
        ::dup2(start.errors, STDERR_FILENO);
    ::sigprocmask(SIG_SETMASK, &start.signals, nullptr);
    ::execvpe(start.command.front(), start.command.data(), start.environment.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t written = ::write(start.failure, &error, sizeof error);
    ::_exit(127);
}

/// Forks; the child executes the program. Returns the child, or −1 with the reason in errno.
pid_t forkProgram(ProgramStart& start)
{
    sigset_t allSignals;
    ::sigfillset(&allSignals);
    ::pthread_sigmask(SIG_SETMASK, &allSignals, &start.signals);
    start.parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0)
        executeProgram(start);
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &start.signals, nullptr);
    errno = error;
    return child;
}

/// Returns the errno with which the program could not be started; 0 if it was started.
int startError(int file)
{
    int error = 0;
    ssize_t count = 0;
    while ((count = ::read(file, &error, sizeof error)) < 0 && errno == EINTR) { }
    return count == static_cast<ssize_t>(sizeof error) ? error : 0;
}

/// Starts a program. A terminal's Ctrl+C also reaches the child directly; passing it on as well does no harm.
Result<pid_t> startProgram(
    std::vector<std::string> command, const Environment& changes, int output, int errors = -1)
{
    std::array<int, 2> pipeEnds{};
    if (::pipe2(pipeEnds.data(), O_CLOEXEC) != 0)
        return tl::unexpected(cannotStart(command.front(), errno));
    std::vector<std::string> environment = environmentWith(changes);
    ProgramStart program{pointersTo(command), pointersTo(environment), output, errors, pipeEnds[1]};
    const pid_t child = forkProgram(program);
    const int forkError = child < 0 ? errno : 0;
    ::close(pipeEnds[1]);
    const int error = child < 0 ? forkError : startError(pipeEnds[0]);
    ::close(pipeEnds[0]);
    if (error == 0)
        return child;
    if (child > 0)
        waitFor(child);
    return tl::unexpected(cannotStart(command.front(), error));
}

/// Reads to the end of the file, to an error, or until there is too much.
std::string readAll(int file)
{
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t count = ::read(file, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0 || text.size() > kMaxOutput)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

} // namespace

bool endsWithin(int process, std::chrono::milliseconds time)
{
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    if (handle < 0)
        return true;
    const auto end = std::chrono::steady_clock::now() + time;
    int ready = 0;
    do {
        const auto remaining
            = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        pollfd request{handle, POLLIN, 0};
        ready = ::poll(&request, 1, static_cast<int>(std::max<std::int64_t>(0, remaining.count())));
    } while (ready < 0 && errno == EINTR);
    ::close(handle);
    return ready != 0;
}

Result<std::string> captureOutput(const std::vector<std::string>& command)
{
    std::array<int, 2> pipeEnds{};
    if (::pipe2(pipeEnds.data(), O_CLOEXEC) != 0)
        return tl::unexpected(cannotStart(command.front(), errno));
    const Result<pid_t> child = startProgram(command, {}, pipeEnds[1]);
    ::close(pipeEnds[1]);
    std::string text = child ? readAll(pipeEnds[0]) : std::string();
    ::close(pipeEnds[0]);
    if (!child)
        return tl::unexpected(child.error());
    if (waitFor(*child) != 0)
        return fail(ErrorCode::BadRequest, command.front() + " does not run");
    return text;
}

Result<ChildEnd> runChild(const std::vector<std::string>& command, const Environment& changes,
    ChildOutput output, std::optional<std::chrono::seconds> limit, const std::string& errorsPath)
{
    constexpr std::chrono::seconds kTimeForHelpers{3};
    const SignalForwarding passing;
    const OrphanAdoption orphans;
    interruptionPoint(); // a stop may have been requested before the signals were passed on
    const int nullFile = output == ChildOutput::Discarded ? ::open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    const int errorsFile = output == ChildOutput::Discarded && !errorsPath.empty()
        ? ::open(errorsPath.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)
        : -1;
    const Result<pid_t> child = startProgram(command, changes,
        output == ChildOutput::ToErrors ? STDERR_FILENO : nullFile, errorsFile >= 0 ? errorsFile : nullFile);
    for (const int file : {nullFile, errorsFile})
        if (file >= 0)
            ::close(file);
    if (!child)
        return tl::unexpected(child.error());
    runningChild = *child;
    if (earlySignal != 0)
        ::kill(*child, earlySignal);
    const bool wasStopped = limit && stopAtLimit(*child, *limit);
    const int exitCode = waitFor(*child);
    runningChild = 0;
    const bool hasLeftProcesses = orphans.areRunningAfter(kTimeForHelpers);
    if (hasLeftProcesses && output == ChildOutput::Discarded)
        orphans.endChildren();
    return ChildEnd{exitCode, hasPassedOn != 0, wasStopped, hasLeftProcesses};
}

} // namespace highwater::rehearse
