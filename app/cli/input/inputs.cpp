#include "app/cli/input/inputs.h"

#include <optional>

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/loading/background.h"
#include "app/loading/files/log_patterns_file.h"
#include "app/loading/files/rules_file.h"
#include "app/loading/input_paths.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

LoadedInput load(const std::string& path, const CommonOptions& options)
{
    LoadOptions load;
    if (!options.logPatterns.empty()) {
        Result<std::string> patterns = loadLogPatterns(options.logPatterns);
        if (!patterns)
            return {options.logPatterns, tl::unexpected(patterns.error())};
        load.logPatterns = std::move(*patterns);
    }
    TerminalProgress progress(path, options.quiet);
    load.maxMemoryBytes = options.maxMemoryBytes;
    load.maxInflateBytes = options.maxInflateBytes;
    load.activities = options.activities;
    load.progress = progress.sink();
    load.stop = interruptToken();
    LoadedInput input{path, loadFile(path, load)};
    progress.clear();
    return input;
}

void printTrouble(const LoadedInput& input)
{
    if (!input.imported)
        printError(input.path, input.imported.error());
    else if (input.imported->incomplete)
        printError(input.path, *input.imported->incomplete);
}

/// One that a folder holds; none, and no line, when it is in no known form.
std::optional<LoadedInput> loadFromFolder(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = load(path, options);
    const bool isUnknown = input.imported ? isEmptyLog(*input.imported->trace)
                                          : input.imported.error().code == ErrorCode::UnknownFormat;
    if (isUnknown)
        return std::nullopt;
    printTrouble(input);
    return input;
}

} // namespace

LoadedInput loadInput(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = load(path, options);
    printTrouble(input);
    return input;
}

LoadedInput needInput(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = load(path, options);
    if (!input.imported)
        throw Refusal{input.path, input.imported.error()};
    printTrouble(input);
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
        LoadedInput one = loadInput(first, options);
        return {std::move(one), loadInput(second, options)};
    }
    CommonOptions silent = options;
    silent.quiet = true; // there is one line of progress
    auto other = inBackground([&] { return load(second, silent); });
    LoadedInput one = load(first, options);
    LoadedInput two = other.get();
    printTrouble(one);
    if (exitCodeOf(one) != Interrupted) // it is said once
        printTrouble(two);
    return {std::move(one), std::move(two)};
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
        LoadedInput nothing{path, tl::unexpected(nothingKnown())};
        printTrouble(nothing);
        exitCode = worse(exitCode, exitCodeOf(nothing));
        take(std::move(nothing));
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
    printErr("highwater: {}: {}\n", sanitizedText(path), toText(error));
}

} // namespace highwater::cli
