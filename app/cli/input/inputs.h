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
    std::optional<std::int64_t> rank; ///< whose file is the main one; none: `chooseMain` decides
    bool json = false;
    bool quiet = false;
    bool activities = false; ///< read kernels, copies and runtime calls as well
    std::string
        logPatterns; ///< path of the user's patterns of log lines; empty: those of the configuration folder
    std::uint64_t maxMemoryBytes = 0;
    std::uint64_t maxInflateBytes = 0;
    std::shared_ptr<KeptFiles> kept; ///< where files are kept for the next question; null: nowhere
};

/// One input and the result of loading it.
struct LoadedInput
{
    std::string path; ///< of a folder that of the file that was chosen
    Result<ImportedTrace> imported;
    std::string choice = {}; ///< of a folder with several recordings: which one this is, in words
};

/// How the files of this command are read. Ends the command where the user's patterns cannot be.
LoadOptions loadOptionsOf(const CommonOptions& options);

/// Loads one input with progress on a terminal, and prints the one line on stderr if something is wrong with
/// it. Of a folder it is the main file (`chooseMain`).
LoadedInput loadInput(const std::string& path, const CommonOptions& options);

/// The same; ends the command where there is nothing to go on with.
LoadedInput needInput(const std::string& path, const CommonOptions& options);

/// The user's rules (`--rules FILE`); none where the path is empty.
std::vector<CategoryRule> rulesFrom(const std::string& path);

/// Two inputs at the same time, with the lines on stderr in their order; one after the other where one is
/// standard input. Of two folders the same rank: that which failed first in the run before, else after, else
/// the main one before.
std::pair<LoadedInput, LoadedInput> loadTwoInputs(
    const std::string& first, const std::string& second, const CommonOptions& options);

/// Loads the files that the command names and, of its folders, those in a known form, one after the other.
/// A folder without any is passed on as an input that cannot be read. Ends at an interruption; returns the
/// worst exit code.
int forEachInput(const CommonOptions& options, const std::function<void(LoadedInput)>& take);

/// Exit code that this input alone would give.
int exitCodeOf(const LoadedInput& input);

/// "highwater: FILE: what is wrong (at byte N)" on stderr.
void printError(const std::string& path, const Error& error);

} // namespace highwater::cli
