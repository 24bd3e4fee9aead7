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

/// Options of the commands that read files.
struct CommonOptions
{
    std::vector<std::string> files;
    std::optional<std::int64_t> rank; ///< the rank to show; nullopt lets `chooseMain` decide
    bool json = false;
    bool quiet = false;
    bool activities = false; ///< also read kernels, copies and runtime calls
    std::string logPatterns; ///< path of the user's log patterns; empty selects the usual file
    std::uint64_t maxMemoryBytes = 0; ///< 0 selects the usual limit
    std::uint64_t maxInflateBytes = 0; ///< limit of decompressed bytes; 0 selects the usual one
    std::shared_ptr<KeptFiles> kept; ///< storage for files that may be needed again; may be null
};

/// One input and the result of loading it.
struct LoadedInput
{
    std::string path; ///< for a folder, the path of the chosen file, if there is one
    Result<ImportedTrace> imported;
    std::vector<std::string> choiceTexts = {}; ///< which of several files was chosen, and which are left out
};

/// Returns the options with which this command's files are loaded. Ends the command if the user's patterns
/// cannot be read.
LoadOptions loadOptionsOf(const CommonOptions& options);

/// Loads one input with progress on a terminal, and prints a line on stderr if something is wrong with it.
/// From a folder, loads the main file (`chooseMain`), and prints `choiceTexts` unless the command is quiet.
LoadedInput loadInput(const std::string& path, const CommonOptions& options);

/// Loads an input as `loadInput` does, but ends the command if it cannot be loaded.
LoadedInput needInput(const std::string& path, const CommonOptions& options);

/// Returns the user's rules (`--rules FILE`); empty if the path is empty. Ends the command if they cannot be
/// read or are invalid.
std::vector<CategoryRule> rulesFrom(const std::string& path);

/// Loads two inputs. Their messages on stderr keep the order of the inputs. From two folders, loads the same
/// rank if both have it: the requested one, else `comparedRank`.
std::pair<LoadedInput, LoadedInput> loadTwoInputs(
    const std::string& first, const std::string& second, const CommonOptions& options);

/// Loads the named files and the files of known formats in the named folders, one after the other, prints
/// what is wrong with each, and passes each to `take`, also if it cannot be read. A folder without files of
/// known formats is passed on as an input that cannot be read. Stops at an interruption. Returns the worst
/// exit code.
int forEachInput(const CommonOptions& options, const std::function<void(LoadedInput)>& take);

/// Returns the exit code that this input alone would give.
int exitCodeOf(const LoadedInput& input);

/// Prints "highwater: FILE: MESSAGE (at byte N)" on stderr, with a hint if the file is missing
/// (`hintForMissingFile`).
void printError(const std::string& path, const Error& error);

} // namespace highwater::cli
