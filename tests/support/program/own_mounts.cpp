#include "tests/support/program/own_mounts.h"

#include <exception>

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

namespace highwater::test {

namespace {

constexpr int kNoMounts = 77;

bool mountSmallDisk(const std::string& folder, const std::string& size)
{
    if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return false;
    return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0
        && ::mount("tmpfs", folder.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
}

[[noreturn]] void workInChild(
    const std::string& folder, const std::string& size, const std::function<std::string()>& work, int out)
{
    if (!mountSmallDisk(folder, size))
        ::_exit(kNoMounts);
    std::string complaints;
    try {
        complaints = work();
    } catch (const std::exception& error) {
        complaints = error.what();
    }
    const bool isTold = ::write(out, complaints.data(), complaints.size()) >= 0;
    ::_exit(isTold ? 0 : 1);
}

} // namespace

std::optional<std::string> withSmallDisk(
    const std::string& folder, const std::string& size, const std::function<std::string()>& work)
{
    int ends[2] = {};
    if (::pipe(ends) != 0)
        return "no pipe";
    const pid_t child = ::fork();
    if (child == 0)
        workInChild(folder, size, work, ends[1]);
    ::close(ends[1]);
    std::string complaints(std::size_t{1} << 16, '\0');
    std::size_t filled = 0;
    ssize_t got = 0;
    while (filled < complaints.size()
        && (got = ::read(ends[0], complaints.data() + filled, complaints.size() - filled)) > 0)
        filled += static_cast<std::size_t>(got);
    ::close(ends[0]);
    complaints.resize(filled);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNoMounts)
        return std::nullopt;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? complaints : complaints + "the child has died";
}

} // namespace highwater::test
