#include "app/cli/input/inputs.h"

#include <optional>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/kept_inputs.h"
#include "app/cli/input/missing_file.h"
#include "app/loading/background.h"
#include "app/loading/device_choice.h"
#include "app/loading/files/log_patterns_file.h"
#include "app/loading/files/rules_file.h"
#include "app/loading/input_paths.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/base/interruption.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater::cli {

namespace {

LoadedInput loadOne(const std::string& path, const CommonOptions& options)
{
    if (std::optional<ImportedTrace> kept = options.kept ? options.kept->find(path) : std::nullopt)
        return {path, *std::move(kept)};
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
    load.stop = InterruptibleScope::currentToken();
    LoadedInput input{path, loadFile(path, load)};
    progress.clear();
    if (options.kept && input.imported)
        options.kept->keep(path, *input.imported);
    return input;
}

bool isUnknown(const LoadedInput& input)
{
    return input.imported ? isEmptyLog(*input.imported->trace)
                          : input.imported.error().code == ErrorCode::UnknownFormat;
}

/// The largest of its devices; −1: the file tells no allocations, −2: it cannot be read.
Bytes largestPeak(const LoadedInput& input)
{
    if (!input.imported)
        return -2;
    const Trace& trace = *input.imported->trace;
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const std::optional<DeviceIndex> main = mainDevice(trace, figures);
    return main && tellsAllocations(trace) ? figures[*main].peakBytes : -1;
}

/// The recording of a folder with the largest peak, else its first log. One file is held at a time, beside
/// the largest so far.
LoadedInput loadLargest(
    const std::string& folder, const std::vector<InputPath>& files, const CommonOptions& options)
{
    LoadedInput largest{folder, tl::unexpected(nothingKnown())};
    Bytes peak = -3;
    std::int64_t recordings = 0;
    for (const InputPath& file : files) {
        LoadedInput input = loadOne(file.path, options);
        if (exitCodeOf(input) == Interrupted)
            return input;
        if (isUnknown(input))
            continue;
        const Bytes own = largestPeak(input);
        recordings += own >= 0;
        if (own <= peak)
            continue;
        peak = own;
        largest = std::move(input);
    }
    if (recordings > 1)
        largest.choice = fmt::format("of {} recordings {}, which has the largest peak",
            formatCount(recordings), sanitizedText(fileName(largest.path)));
    return largest;
}

LoadedInput load(const std::string& path, const CommonOptions& options)
{
    const std::vector<InputPath> files = expandInputs({path});
    const bool isFolder = files.size() != 1 || files.front().fromFolder;
    return isFolder ? loadLargest(path, files, options) : loadOne(path, options);
}

void printTrouble(const LoadedInput& input, bool quiet = true)
{
    if (!input.imported)
        printError(input.path, input.imported.error());
    else if (input.imported->incomplete)
        printError(input.path, *input.imported->incomplete);
    if (!quiet && !input.choice.empty())
        printErr("highwater: {}\n", input.choice);
}

/// One that a folder holds; none, and no line, when it is in no known form.
std::optional<LoadedInput> loadFromFolder(const std::string& path, const CommonOptions& options)
{
    LoadedInput input = loadOne(path, options);
    if (isUnknown(input))
        return std::nullopt;
    printTrouble(input);
    return input;
}

} // namespace

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
        LoadedInput one = loadInput(first, options);
        return {std::move(one), loadInput(second, options)};
    }
    CommonOptions silent = options;
    silent.quiet = true; // there is one line of progress
    auto other = inBackground([&] { return load(second, silent); });
    LoadedInput one = load(first, options);
    LoadedInput two = other.get();
    printTrouble(one, options.quiet);
    if (exitCodeOf(one) != Interrupted) // it is said once
        printTrouble(two, options.quiet);
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
    const bool isMissing
        = error.code == ErrorCode::CannotRead && error.message.starts_with("cannot be opened");
    printErr(
        "highwater: {}: {}{}\n", sanitizedText(path), toText(error), isMissing ? nextForMissing(path) : "");
}

} // namespace highwater::cli
