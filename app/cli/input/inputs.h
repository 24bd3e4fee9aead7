#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/console/refusal.h"
#include "app/loading/load_file.h"
#include "core/run/category_rules.h"
#include "core/run/choice/main_choice.h"

namespace highwater::cli {

/// Options of all commands.
struct CommonOptions
{
    std::vector<std::string> files;
    std::optional<std::int64_t> rank; ///< its file is the main one; nullopt lets `chooseMain` decide
    bool json = false;
    bool quiet = false;
    bool activities = false; ///< also read kernels, copies and runtime calls
    std::string
        logPatterns; ///< path of the user's log patterns; empty selects those of the configuration folder
    std::uint64_t maxMemoryBytes = 0;
    std::uint64_t maxInflateBytes = 0;
    std::shared_ptr<KeptFiles> kept; ///< storage for files that may be needed again; may be null
};

/// One input and the result of loading it.
struct LoadedInput
{
    std::string path; ///< for a folder, the path of the chosen file
    Result<ImportedTrace> imported;
    std::string choice = {}; ///< for a folder, which of its recordings was chosen, in words
};

/// Returns how the files of this command are read. Ends the command if the user's patterns cannot be read.
LoadOptions loadOptionsOf(const CommonOptions& options);

/// Loads one input with progress on a terminal, and prints a line on stderr if something is wrong with it.
/// From a folder, loads the main file (`chooseMain`).
LoadedInput loadInput(const std::string& path, const CommonOptions& options);

/// Does the same, but ends the command if the input cannot be loaded.
LoadedInput needInput(const std::string& path, const CommonOptions& options);

/// Returns the user's rules (`--rules FILE`); empty if the path is empty.
std::vector<CategoryRule> rulesFrom(const std::string& path);

/// Loads two inputs at the same time, with their lines on stderr in order; one after the other if one is
/// standard input. From two folders, loads the same rank: the requested one, else `comparedRank`.
std::pair<LoadedInput, LoadedInput> loadTwoInputs(
    const std::string& first, const std::string& second, const CommonOptions& options);

/// Loads the files that the command names and those files of its folders that have a known format, one after
/// the other. A folder without any is passed on as an input that cannot be read. Ends at an interruption;
/// returns the worst exit code.
int forEachInput(const CommonOptions& options, const std::function<void(LoadedInput)>& take);

/// Returns the exit code that this input alone would give.
int exitCodeOf(const LoadedInput& input);

/// Prints "highwater: FILE: MESSAGE (at byte N)" on stderr.
void printError(const std::string& path, const Error& error);

} // namespace highwater::cli
