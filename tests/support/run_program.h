#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/sanitizers.h"

namespace highwater::test {

struct ProgramRun
{
    int exitCode = -1; ///< −1 if a signal ended the program
    std::string out;
    std::string err;
};

struct RunOptions
{
    std::string input = {}; ///< content of standard input
    std::vector<std::pair<std::string, std::string>> environment = {}; ///< added to the test's environment
    std::string outputPath = {}; ///< where standard output goes; if empty, to ProgramRun::out
    bool closesOutput = false; ///< standard output is closed
    bool closesError = false; ///< standard error is closed
    std::vector<std::pair<int, std::uint64_t>> limits = {}; ///< RLIMIT_AS and the like, for setrlimit
    std::string folder = {}; ///< working directory; empty for the test's own
    std::function<void()> inChild = {}; ///< called in the child before it becomes the program
    std::string program = {}; ///< another copy of the program to run; empty for the built one
};

/// Returns the path of the built command-line program.
std::string programPath();

/// Pass it as `RunOptions::inChild` if tests run as root, who may read and write everything.
void becomeNobody();

/// Replaces the process, a child of the test, by the program. Exits with 127 if the program cannot be run.
[[noreturn]] void becomeHighwater(const std::vector<std::string>& arguments, const std::string& program = {});

/// Runs the built command-line program with these arguments, without a shell.
ProgramRun runHighwater(const std::vector<std::string>& arguments, const RunOptions& options = {});

} // namespace highwater::test
