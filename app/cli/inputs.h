#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"

namespace highwater::cli {

/// What all commands take.
struct CommonOptions
{
    std::vector<std::string> files;
    bool json = false;
    bool quiet = false;
    bool activities = false; ///< read kernels, copies and runtime calls as well
    std::string
        logPatterns; ///< path of the user's patterns of log lines; empty: those of the configuration folder
    std::uint64_t maxMemoryBytes = 0;
    std::uint64_t maxInflateBytes = 0;
};

/// One input and what became of it.
struct LoadedInput
{
    std::string path;
    Result<ImportedTrace> imported;
};

/// Loads one input with progress on a terminal, and prints the one line on stderr if something is wrong with
/// it.
LoadedInput loadInput(const std::string& path, const CommonOptions& options);

/// The same for a file that a folder holds; none, and no line, when it is in no known form.
std::optional<LoadedInput> loadFromFolder(const std::string& path, const CommonOptions& options);

/// Exit code that this input alone would give.
int exitCodeOf(const LoadedInput& input);

/// "highwater: FILE: what is wrong (at byte N)" on stderr.
void printError(const std::string& path, const Error& error);

} // namespace highwater::cli
