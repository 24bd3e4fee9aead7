#include "tests/support/program/started_program.h"

#include <csignal>
#include <ctime>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/run_program.h"

namespace highwater::test {

StartedProgram::StartedProgram(const std::vector<std::string>& arguments, const std::string& said)
{
    const int errors = ::open(said.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    m_child = ::fork();
    if (m_child < 0)
        throw std::runtime_error("cannot fork");
    if (m_child == 0) {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) // nohup makes programs ignore these signals
            ::signal(signal, SIG_DFL);
        const int nothing = ::open("/dev/null", O_RDWR);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(nothing, STDOUT_FILENO);
        ::dup2(errors, STDERR_FILENO);
        becomeHighwater(arguments);
    }
    ::close(errors);
    m_handle = static_cast<int>(::syscall(SYS_pidfd_open, m_child, 0));
}

StartedProgram::~StartedProgram()
{
    if (m_child > 0) {
        ::kill(m_child, SIGKILL);
        wait();
    }
    if (m_handle >= 0)
        ::close(m_handle);
}

bool StartedProgram::endsWithin(long microseconds) const
{
    pollfd end{m_handle, POLLIN, 0};
    const timespec most{microseconds / 1'000'000, microseconds % 1'000'000 * 1000};
    return ::ppoll(&end, 1, &most, nullptr) == 1;
}

void StartedProgram::send(int signal) const
{
    ::kill(m_child, signal);
}

int StartedProgram::wait()
{
    int status = 0;
    ::waitpid(m_child, &status, 0);
    m_child = -1;
    return status;
}

} // namespace highwater::test
