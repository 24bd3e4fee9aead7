#include "tests/support/run_program.h"

#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/sample_files.h"

namespace highwater::test {

namespace {

/// Used in the child: replaces a standard stream by a file.
void redirect(const std::string& path, int flags, int descriptor)
{
    const int file = ::open(path.c_str(), flags, 0600);
    if (file < 0 || ::dup2(file, descriptor) < 0)
        ::_exit(126);
}

} // namespace

std::string programPath()
{
    return HIGHWATER_CLI;
}

void becomeNobody()
{
    constexpr unsigned kNobody = 65534;
    if (::geteuid() == 0
        && (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0))
        ::_exit(123);
}

void becomeHighwater(const std::vector<std::string>& arguments, const std::string& program)
{
    std::vector<std::string> words = {program.empty() ? programPath() : program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
}

ProgramRun runHighwater(const std::vector<std::string>& arguments, const RunOptions& options)
{
    // Files instead of pipes, so that nothing blocks, however much is written.
    const TemporaryFolder folder;
    const std::string in = folder.write("in", options.input);
    const std::string out = folder.write("out", "");
    const std::string err = folder.write("err", "");
    const pid_t child = ::fork();
    if (child < 0)
        throw std::runtime_error("cannot fork");
    if (child == 0) {
        redirect(in, O_RDONLY, STDIN_FILENO);
        redirect(options.outputPath.empty() ? out : options.outputPath, O_WRONLY, STDOUT_FILENO);
        redirect(err, O_WRONLY, STDERR_FILENO);
        if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0)
            ::_exit(124);
        if (options.closesOutput)
            ::close(STDOUT_FILENO);
        if (options.closesError)
            ::close(STDERR_FILENO);
        for (const auto& [name, value] : options.environment)
            ::setenv(name.c_str(), value.c_str(), 1);
        for (const auto& [resource, value] : options.limits) {
            const rlimit limit{value, value};
            if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0)
                ::_exit(125);
        }
        if (options.inChild)
            options.inChild();
        becomeHighwater(arguments, options.program);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readWholeFile(out), readWholeFile(err)};
}

} // namespace highwater::test
