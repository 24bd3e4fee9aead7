#include "app/cli/input/inputs.h"

#include <optional>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/missing_file.h"
#include "app/loading/background.h"
#include "app/loading/files/log_patterns_file.h"
#include "app/loading/files/rules_file.h"
#include "app/loading/input_paths.h"
#include "app/loading/run/main_of_folder.h"
#include "core/analysis/logs/log_failures.h"
#include "core/base/interruption.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

LoadedInput loadOne(const std::string& path, const CommonOptions& options)
{
    LoadOptions load = loadOptionsOf(options);
    TerminalProgress progress(path, options.quiet);
    load.progress = progress.sink();
    LoadedInput input{path, loadFile(path, load)};
    progress.clear();
    return input;
}

/// True if the format is unknown, or if the file was taken for a log and has nothing of one.
bool isUnknown(const LoadedInput& input)
{
    return input.imported ? isEmptyLog(*input.imported->trace)
                          : input.imported.error().code == ErrorCode::UnknownFormat;
}

/// Loads the main file of a folder, and words which recording was chosen and which were not.
LoadedInput loadChosen(FolderChoice chosen, const CommonOptions& options)
{
    LoadOptions load = loadOptionsOf(options);
    TerminalProgress progress(chosen.path(), options.quiet);
    load.progress = progress.sink();
    LoadedInput input{chosen.path(), loadMainFile(chosen, load)};
    progress.clear();
    const RunMain main = runMain(chosen.files, chosen.choice);
    input.choice = mainText(main);
    for (const OtherRun& other : main.others)
        input.choice += (input.choice.empty() ? "" : "\nhighwater: ") + otherRunText(other);
    return input;
}

Result<FolderChoice> chooseIn(const std::string& folder, const CommonOptions& options)
{
    LoadOptions load = loadOptionsOf(options);
    TerminalProgress progress(folder, options.quiet);
    load.progress = progress.sink();
    Result<FolderChoice> chosen = chooseInFolder(folder, options.rank, load);
    progress.clear();
    return chosen;
}

/// Loads a file, or the main file of a folder, and prints nothing but progress.
LoadedInput load(const std::string& path, const CommonOptions& options)
{
    if (!isFolder(path))
        return loadOne(path, options);
    Result<FolderChoice> chosen = chooseIn(path, options);
    return chosen ? loadChosen(*std::move(chosen), options)
                  : LoadedInput{path, tl::unexpected(chosen.error())};
}

/// Chooses the main files of two folders, with the same rank if both have it; nullopt if one is not a folder
/// or has no main file.
std::optional<std::pair<FolderChoice, FolderChoice>> chooseInBoth(
    const std::string& first, const std::string& second, const CommonOptions& options)
{
    if (!isFolder(first) || !isFolder(second))
        return std::nullopt;
    Result<FolderChoice> before = chooseIn(first, options);
    Result<FolderChoice> after = chooseIn(second, options);
    if (!before || !after)
        return std::nullopt;
    if (!options.rank)
        alignRanks(*before, *after);
    return std::pair(*std::move(before), *std::move(after));
}

/// Prints what is wrong with an input and, unless `quiet`, which file of a folder it is.
void printTrouble(const LoadedInput& input, bool quiet = true)
{
    if (!input.imported)
        printError(input.path, input.imported.error());
    else if (input.imported->incomplete)
        printError(input.path, *input.imported->incomplete);
    if (!quiet && !input.choice.empty())
        printErr("highwater: {}\n", input.choice);
}

/// Loads a file that was found in a folder; nullopt, without a message, if its format is unknown.
std::optional<LoadedInput> loadFromFolder(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = loadOne(path, options);
    if (isUnknown(input))
        return std::nullopt;
    printTrouble(input);
    return input;
}

} // namespace

LoadOptions loadOptionsOf(const CommonOptions& options)
{
    LoadOptions load;
    if (!options.logPatterns.empty())
        load.logPatterns = need(options.logPatterns, loadLogPatterns(options.logPatterns));
    load.maxMemoryBytes = options.maxMemoryBytes;
    load.maxInflateBytes = options.maxInflateBytes;
    load.activities = options.activities;
    load.stop = InterruptibleScope::currentToken();
    load.kept = options.kept.get();
    return load;
}

LoadedInput loadInput(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = load(path, options);
    printTrouble(input, options.quiet);
    return input;
}

LoadedInput needInput(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = load(path, options);
    if (!input.imported)
        throw Refusal{input.path, input.imported.error()};
    printTrouble(input, options.quiet);
    return input;
}

std::vector<CategoryRule> rulesFrom(const std::string& path)
{
    return path.empty() ? std::vector<CategoryRule>() : needOption(path, loadCategoryRules(path));
}

std::pair<LoadedInput, LoadedInput> loadTwoInputs(
    const std::string& first, const std::string& second, const CommonOptions& options)
{
    if (first == "-" || second == "-") {
        LoadedInput firstInput = loadInput(first, options);
        return {std::move(firstInput), loadInput(second, options)};
    }
    CommonOptions silent = options;
    silent.quiet = true; // there is room for one line of progress only
    auto folders = chooseInBoth(first, second, options);
    auto secondTask = inBackground(
        [&] { return folders ? loadChosen(std::move(folders->second), silent) : load(second, silent); });
    LoadedInput firstInput = folders ? loadChosen(std::move(folders->first), options) : load(first, options);
    LoadedInput secondInput = secondTask.get();
    printTrouble(firstInput, options.quiet);
    if (exitCodeOf(firstInput) != Interrupted) // an interruption is reported once
        printTrouble(secondInput, options.quiet);
    return {std::move(firstInput), std::move(secondInput)};
}

int forEachInput(const CommonOptions& options, const std::function<void(LoadedInput)>& take)
{
    int exitCode = Done;
    for (const std::string& path : options.files) {
        bool isKnown = false;
        for (const InputPath& file : expandInputs({path})) {
            std::optional<LoadedInput> input
                = file.fromFolder ? loadFromFolder(file.path, options) : loadInput(file.path, options);
            if (!input)
                continue;
            isKnown = true;
            exitCode = worse(exitCode, exitCodeOf(*input));
            take(*std::move(input));
            if (exitCode == Interrupted)
                return exitCode;
        }
        if (isKnown)
            continue;
        LoadedInput unreadable{path, tl::unexpected(noKnownFormatError())};
        printTrouble(unreadable);
        exitCode = worse(exitCode, exitCodeOf(unreadable));
        take(std::move(unreadable));
    }
    return exitCode;
}

int exitCodeOf(const LoadedInput& input)
{
    if (!input.imported)
        return exitCodeOf(input.imported.error());
    return input.imported->incomplete ? Incomplete : Done;
}

void printError(const std::string& path, const Error& error)
{
    const bool isMissing
        = error.code == ErrorCode::CannotRead && error.message.starts_with("cannot be opened");
    printErr("highwater: {}: {}{}\n", sanitizedText(path), toText(error),
        isMissing ? hintForMissingFile(path) : "");
}

} // namespace highwater::cli
