#include "app/cli/inputs.h"

#include <cstdio>

#include <fmt/format.h>

#include "app/cli/exit_code.h"
#include "app/cli/terminal.h"
#include "app/loading/log_patterns_file.h"
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

} // namespace

LoadedInput loadInput(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = load(path, options);
    printTrouble(input);
    return input;
}

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

int exitCodeOf(const LoadedInput& input)
{
    if (!input.imported)
        return exitCodeOf(input.imported.error());
    return input.imported->incomplete ? Incomplete : Done;
}

void printError(const std::string& path, const Error& error)
{
    fmt::print(stderr, "highwater: {}: {}\n", sanitizedText(path), toText(error));
}

} // namespace highwater::cli
