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
#include "core/base/interruption.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

/// Returns the result of `read`, which gets the load options, and shows its progress.
template <typename Read>
auto withProgress(const std::string& path, const CommonOptions& options, const Read& read)
{
    LoadOptions loadOptions = loadOptionsOf(options);
    TerminalProgress progress(path, options.quiet);
    loadOptions.progress = progress.sink();
    auto result = read(loadOptions);
    progress.clear();
    return result;
}

LoadedInput loadOne(const std::string& path, const CommonOptions& options)
{
    return {path, withProgress(path, options, [&](const LoadOptions& loadOptions) {
                return loadFile(path, loadOptions);
            })};
}

/// Loads the main file of a folder, and words which recording was chosen and which were not.
LoadedInput loadChosen(FolderChoice chosen, const CommonOptions& options)
{
    LoadedInput input{chosen.path(),
        withProgress(chosen.path(), options,
            [&](const LoadOptions& loadOptions) { return loadMainFile(chosen, loadOptions); })};
    const RunMain main = runMain(chosen.files, chosen.choice);
    if (std::string text = mainText(main); !text.empty())
        input.choiceTexts.push_back(std::move(text));
    for (const OtherRun& other : main.others)
        input.choiceTexts.push_back(otherRunText(other));
    return input;
}

Result<FolderChoice> chooseIn(const std::string& folder, const CommonOptions& options)
{
    return withProgress(folder, options,
        [&](const LoadOptions& loadOptions) { return chooseInFolder(folder, options.rank, loadOptions); });
}

/// Loads a file, or the main file of a folder, and prints nothing but progress. `chosen` is the choice in the
/// folder if it was made before.
LoadedInput loadFileOrFolder(const std::string& path, const CommonOptions& options,
    std::optional<Result<FolderChoice>> chosen = std::nullopt)
{
    if (!chosen && !isFolder(path))
        return loadOne(path, options);
    if (!chosen)
        chosen = chooseIn(path, options);
    return *chosen ? loadChosen(std::move(**chosen), options)
                   : LoadedInput{path, tl::unexpected(chosen->error())};
}

/// Prints what is wrong with an input and, unless `quiet`, the texts of its choice.
void printTrouble(const LoadedInput& input, bool quiet = true)
{
    if (!input.imported)
        printError(input.path, input.imported.error());
    else if (input.imported->incomplete)
        printError(input.path, *input.imported->incomplete);
    if (quiet)
        return;
    for (const std::string& text : input.choiceTexts)
        printErr("highwater: {}\n", text);
}

/// Loads a file that was found in a folder; nullopt, without a message, if it is skipped (`isOfNoUse`).
std::optional<LoadedInput> loadFromFolder(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = loadOne(path, options);
    if (isOfNoUse(input.imported))
        return std::nullopt;
    printTrouble(input);
    return input;
}

} // namespace

LoadOptions loadOptionsOf(const CommonOptions& options)
{
    LoadOptions loadOptions;
    if (!options.logPatterns.empty())
        loadOptions.logPatterns = need(options.logPatterns, loadLogPatterns(options.logPatterns));
    loadOptions.maxMemoryBytes = options.maxMemoryBytes;
    loadOptions.maxInflateBytes = options.maxInflateBytes;
    loadOptions.activities = options.activities;
    loadOptions.stop = InterruptibleScope::currentToken();
    loadOptions.kept = options.kept.get();
    return loadOptions;
}

LoadedInput loadInput(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = loadFileOrFolder(path, options);
    printTrouble(input, options.quiet);
    return input;
}

LoadedInput needInput(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = loadFileOrFolder(path, options);
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
    std::optional<Result<FolderChoice>> firstChosen;
    std::optional<Result<FolderChoice>> secondChosen;
    if (isFolder(first) && isFolder(second)) {
        firstChosen = chooseIn(first, options);
        secondChosen = chooseIn(second, options);
        if (*firstChosen && *secondChosen && !options.rank)
            alignRanks(**firstChosen, **secondChosen);
    }
    auto secondTask = inBackground([&] { return loadFileOrFolder(second, silent, std::move(secondChosen)); });
    LoadedInput firstInput = loadFileOrFolder(first, options, std::move(firstChosen));
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
