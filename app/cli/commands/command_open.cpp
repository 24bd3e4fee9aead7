#include "app/cli/commands/commands.h"

#include <cerrno>
#include <system_error>

#include <unistd.h>

#include "app/cli/console/output.h"
#include "app/cli/input/missing_file.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

constexpr const char* kWindowProgram = "highwater-gui";

/// Returns "…/highwater-gui" in the folder of this program; empty if that folder is unknown.
std::string windowProgramPath()
{
    std::string path(4096, '\0');
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
    if (length <= 0)
        return {};
    path.resize(static_cast<std::size_t>(length));
    return path.substr(0, path.find_last_of('/') + 1) + kWindowProgram;
}

/// Prints why the file cannot be opened (errno), and returns the exit code.
int reportCannotOpen(const std::string& file)
{
    const int reason = errno;
    printErr("highwater: {}: cannot be opened: {}{}\n", sanitizedText(file),
        std::generic_category().message(reason), hintForMissingFile(file));
    return CannotRead;
}

} // namespace

int runOpen(const OpenOptions& options)
{
    for (const std::string& file : options.files)
        if (::access(file.c_str(), R_OK) != 0)
            return reportCannotOpen(file);
    // "--" precedes the files, since a name may begin with a dash.
    std::vector<std::string> words{kWindowProgram, "--"};
    words.insert(words.end(), options.files.begin(), options.files.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    // This process becomes the window, which then receives Ctrl+C and returns the exit code.
    if (const std::string windowProgram = windowProgramPath(); !windowProgram.empty())
        ::execv(windowProgram.c_str(), arguments.data());
    ::execvp(kWindowProgram, arguments.data());
    printErr("highwater: {} cannot be started: it is neither next to this program nor in the PATH (the other "
             "commands need no window)\n",
        kWindowProgram);
    return CannotRead;
}

} // namespace highwater::cli
