#include "app/rehearse/command_python.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "app/rehearse/child_process.h"
#include "app/rehearse/python_files.h"
#include "app/rehearse/rehearsal_folder.h"

namespace highwater::rehearse {

namespace {

namespace fs = std::filesystem;

bool isProgram(const std::string& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// Returns the path of a program, found in PATH if the name has no folder; empty if there is none.
std::string programPath(const std::string& name)
{
    if (name.find('/') != std::string::npos)
        return isProgram(name) ? name : std::string();
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string candidate = std::string(rest.substr(0, end)) + "/" + name;
        if (end > 0 && isProgram(candidate))
            return candidate;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

bool isPython(std::string_view path)
{
    return path.substr(path.find_last_of('/') + 1).starts_with("python");
}

/// Returns the interpreter in a script's first line, such as "#!/usr/bin/env python3" or
/// "#!/venv/bin/python"; empty if it is not Python.
std::string interpreterOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string line(256, '\0');
    file.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<std::size_t>(file.gcount()));
    line.resize(std::min(line.find('\n'), line.size()));
    if (!line.starts_with("#!"))
        return {};
    const std::size_t lastWord = line.find_last_of(" \t!");
    std::string interpreter = line.substr(lastWord + 1);
    return isPython(interpreter) ? programPath(interpreter) : std::string();
}

/// Returns the interpreter as far as the program or its first line names it; empty if the command must be run
/// to find it.
std::string namedPython(const std::string& program)
{
    return isPython(program) ? program : interpreterOf(program);
}

/// Returns the notebook in "nb.ipynb" or "python nb.ipynb"; null if there is none. Python would take the file
/// for an expression and run nothing.
const std::string* notebookIn(const std::vector<std::string>& command)
{
    const auto isNotebook = [](const std::string& word) { return word.ends_with(".ipynb"); };
    if (isNotebook(command.front()))
        return &command.front();
    return isPython(command.front()) && command.size() > 1 && isNotebook(command[1]) ? &command[1] : nullptr;
}

/// Returns why a word is no program, and what to put before it.
Error whyNoProgram(const std::string& word)
{
    std::error_code error;
    if (fs::is_directory(word, error))
        return {ErrorCode::BadRequest, word + " is a folder, not a command", {}};
    if (fs::exists(word, error))
        return {ErrorCode::BadRequest,
            fmt::format(
                "{} is not executable; put {} before it", word, word.ends_with(".sh") ? "bash" : "python"),
            {}};
    return {ErrorCode::BadRequest, word + " is not found", {}};
}

/// Runs the command until a Python imports PyTorch, which then writes its own path.
Result<std::string> findStartedPython(const std::vector<std::string>& command)
{
    std::error_code error;
    const Result<RehearsalFolder> folder = RehearsalFolder::create(fs::temp_directory_path(error));
    if (!folder)
        return tl::unexpected(folder.error());
    if (Result<void> written = writePythonFiles(*folder); !written)
        return tl::unexpected(written.error());
    const Result<std::string> standIns = writeStandIns(*folder);
    if (!standIns)
        return tl::unexpected(standIns.error());
    const std::string answerPath = *folder / "python-path";
    Environment changes = followingEnvironment(*folder, *standIns);
    changes.push_back("HIGHWATER_TELL_PYTHON=" + answerPath);
    changes.push_back(fmt::format("HIGHWATER_PROCESS={}", ::getpid()));
    const Result<ChildEnd> end = runChild(command, changes, ChildOutput::Discarded);
    if (!end)
        return tl::unexpected(end.error());
    std::ifstream file(answerPath);
    std::string python;
    std::getline(file, python);
    if (end->isInterrupted)
        return fail(ErrorCode::BadRequest, "interrupted before PyTorch was imported");
    if (python.empty())
        return fail(ErrorCode::BadRequest,
            fmt::format("{} ended with exit code {} without starting a Python that imports PyTorch",
                command.front(), end->exitCode));
    return python;
}

} // namespace

bool startsPythonItself(const std::vector<std::string>& command)
{
    const std::string program = programPath(command.front());
    return !program.empty() && !notebookIn(command) && namedPython(program).empty();
}

Result<std::string> findPython(const std::vector<std::string>& command)
{
    if (const std::string* notebook = notebookIn(command))
        return fail(ErrorCode::BadRequest,
            fmt::format("{0} is a notebook; convert it to a script with jupyter nbconvert --to script {0}",
                *notebook));
    const std::string program = programPath(command.front());
    if (program.empty())
        return tl::unexpected(whyNoProgram(command.front()));
    std::string python = namedPython(program);
    return python.empty() ? findStartedPython(command) : Result<std::string>(std::move(python));
}

} // namespace highwater::rehearse
