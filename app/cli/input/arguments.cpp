#include "app/cli/input/arguments.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/input/command_options.h"
#include "app/cli/parser/parser_facts.h"
#include "app/cli/parser/size_text.h"
#include "core/analysis/usage/moment_text.h"
#include "core/base/memory_limit.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

/// Adds an option for a size of at least `least` bytes, which is passed to `take`.
void addSizeCallback(CLI::App& command, const std::string& name, const std::string& help, Bytes least,
    std::function<void(Bytes)> take)
{
    command
        .add_option_function<std::string>(
            name,
            [name, least, take = std::move(take)](const std::string& text) {
                const std::optional<Bytes> bytes = parseSize(text);
                if (!bytes)
                    throw CLI::ValidationError(
                        name, fmt::format("{} is not a size; give {}", sanitizedText(text), kSizeText));
                if (*bytes < least)
                    throw CLI::ValidationError(name, fmt::format("the size must be at least {} B", least));
                if (*bytes > 0 && !hasSizeUnit(text))
                    printErr(
                        "highwater: warning: {} {} has no unit and was taken as {}; for GiB write {}GiB\n",
                        name, sanitizedText(text), formatBytes(*bytes), sanitizedText(text));
                take(*bytes);
            },
            help)
        ->type_name("SIZE");
}

} // namespace

bool hasSizeUnit(std::string_view text)
{
    return text.find_first_not_of("0123456789.,_ ") != std::string_view::npos;
}

void addSize(CLI::App& command, const std::string& name, std::uint64_t& target, const std::string& help)
{
    addSizeCallback(
        command, name, help, 1, [&target](Bytes bytes) { target = static_cast<std::uint64_t>(bytes); });
}

void addLimit(
    CLI::App& command, const std::string& name, std::optional<Bytes>& target, const std::string& help)
{
    addSizeCallback(command, name, help, 0, [&target](Bytes bytes) { target = bytes; });
}

void addCommonOptions(CLI::App& command, CommonOptions& options, bool several)
{
    CLI::Option* files = command.add_option(several ? "files" : "file", options.files,
        several ? "Files or folders; - reads standard input" : "File; - reads standard input");
    files->required()->type_name("FILE")->expected(1, several ? -1 : 1);
    command.add_flag("--json", options.json, "Print one JSON document")->group(kCommonGroup);
    command.add_flag("--quiet", options.quiet, "Show no progress")->group(kCommonGroup);
    addOption(command, "--log-patterns", options.logPatterns, "FILE",
        "JSON file with more patterns for log lines (default: log-patterns.json in the configuration "
        "folder)")
        ->group(kCommonGroup);
    addMemoryLimits(command, options);
}

void addMemoryLimits(CLI::App& command, CommonOptions& options)
{
    addSizeCallback(command, "--max-memory",
        "Memory limit for reading and analysis (default: 3/4 of the machine's)", 1, [&options](Bytes bytes) {
            options.maxMemoryBytes = static_cast<std::uint64_t>(bytes);
            setMemoryLimit(options.maxMemoryBytes);
        });
    addSize(command, "--max-inflate", options.maxInflateBytes,
        "Maximum decompressed size (default: 500 times the file, at least 256 MiB)");
    for (const char* name : {"--max-memory", "--max-inflate"})
        command.get_option(name)->group(kCommonGroup);
}

void addRank(CLI::App& command, CommonOptions& options)
{
    addOption(command, "--rank", options.rank, "N",
        "Rank to show (default: the first to run out of memory, else the highest peak)");
}

void addDevice(CLI::App& command, std::optional<std::string>& device)
{
    addOption(command, "--device", device, "N",
        "GPU, such as 0 or cuda:0; or host (default: the one with the largest peak)");
}

void addTopOption(CLI::App& command, std::size_t& top, const std::string& help)
{
    addOption(command, "--top", top, "N", help)->check(CLI::NonNegativeNumber)->capture_default_str();
}

void addMoment(
    CLI::App& command, const std::string& name, std::optional<std::string>& target, const std::string& help)
{
    addOption(command, name, target, "EVENT|TIME", help)->check([](const std::string& text) {
        return namesMoment(text)
            ? std::string()
            : fmt::format(
                "{} is neither an event, such as 5701, nor a time, such as 1.28s", sanitizedText(text));
    });
}

void addRules(CLI::App& command, std::string& rules)
{
    addOption(command, "--rules", rules, "FILE",
        "JSON file of category rules that override the detected categories");
}

std::optional<double> percentFromText(const std::string& text)
{
    double percent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    const bool isWhole = error == std::errc() && (rest.empty() || rest == "%" || rest == " %");
    return isWhole && percent >= 0 && std::isfinite(percent) ? std::optional(percent) : std::nullopt;
}

void addAuxiliaryFiles(CLI::App& command, AuxiliaryOptions& auxiliaryFiles)
{
    addRepeatable(command, "--with", auxiliaryFiles.files, "FILE",
        "Another file of the same run to show with FILE: an Nsight Systems export, a log; repeatable");
    addOption(command, "--offset", auxiliaryFiles.offsetSeconds, "SECONDS",
        "Seconds to add to the times of files given with --with (default: from the files)");
}

void addOutputOptions(CLI::App& command, std::string& out, bool& force)
{
    addOption(command, "-o,--out", out, "OUT", "File to write; - is standard output")->required();
    command.add_flag("--force", force, "Replace OUT if it exists");
}

Result<EventRange> parseEventRange(const std::string& text, std::int64_t events)
{
    if (text.empty())
        return events > 0 ? EventRange{0, events} : EventRange{-1, 0};
    const auto range = parsedRange<std::int64_t>(text);
    if (range && range->first >= -1 && range->second <= events)
        return EventRange{range->first, range->second};
    return fail(
        ErrorCode::BadRequest, fmt::format("has no events {} (A:B with -1 <= A < B <= {})", text, events));
}

} // namespace highwater::cli
