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
    int exitCode = -1; ///< −1: ended by a signal
    std::string out;
    std::string err;
};

struct RunOptions
{
    std::string input = {}; ///< on its standard input
    std::vector<std::pair<std::string, std::string>> environment = {}; ///< added to that of the test
    std::string outputPath = {}; ///< where standard output goes, as /dev/full; empty: into ProgramRun::out
    bool closesOutput = false; ///< standard output is closed
    bool closesError = false; ///< standard error is closed
    std::vector<std::pair<int, std::uint64_t>> limits = {}; ///< RLIMIT_AS and the like, as for setrlimit
    std::string folder = {}; ///< in which the program runs; empty: that of the test
    std::function<void()> inChild = {}; ///< done by the child before it becomes the program
    std::string program = {}; ///< a copy of the program to run instead; empty: the one that was built
};

/// The built command-line program.
std::string programPath();

/// For `RunOptions::inChild`, where the tests run as root, who may read and write everything.
void becomeNobody();

/// Becomes the built program, in a child of its own; 127 is the exit code where it cannot be run.
[[noreturn]] void becomeHighwater(const std::vector<std::string>& arguments, const std::string& program = {});

/// Runs the built command-line program with these arguments; no shell is involved.
ProgramRun runHighwater(const std::vector<std::string>& arguments, const RunOptions& options = {});

} // namespace highwater::test
