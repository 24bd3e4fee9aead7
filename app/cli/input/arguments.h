#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/cli/input/auxiliary_files.h"
#include "app/cli/input/inputs.h"
#include "core/analysis/usage/event_range.h"
#include "core/base/result.h"
#include "core/base/text_parts.h"
#include "core/base/units.h"

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

// Options that several commands take. The variables that they fill must exist until the command line has been
// parsed.

/// True if the text of a size (`parseSize`) has a unit.
bool hasSizeUnit(std::string_view text);
/// Adds an option for a size of at least 1 byte. A size without a unit leads to a warning on standard error.
void addSize(CLI::App& command, const std::string& name, std::uint64_t& target, const std::string& help);
/// Adds an option for a size that may be 0 (`addSize`). Without the option, `target` stays as it is.
void addLimit(
    CLI::App& command, const std::string& name, std::optional<Bytes>& target, const std::string& help);
/// Adds the files, which are required, and the options of all commands that read files. `several` allows more
/// than one file.
void addCommonOptions(CLI::App& command, CommonOptions& options, bool several);
/// Adds `--max-memory` and `--max-inflate`, which are also part of `addCommonOptions`.
void addMemoryLimits(CLI::App& command, CommonOptions& options);
/// Adds `--rank`, for commands that answer for a run.
void addRank(CLI::App& command, CommonOptions& options);
/// Adds `--device`.
void addDevice(CLI::App& command, std::optional<std::string>& device);
/// Adds `--top`, the number of rows of a table to print; 0 prints all.
void addTopOption(CLI::App& command, std::size_t& top, const std::string& help);
/// Adds an option for a moment: an event, or a time since the first event (`namesMoment`).
void addMoment(
    CLI::App& command, const std::string& name, std::optional<std::string>& target, const std::string& help);
/// Adds `--rules`, the user's category rules.
void addRules(CLI::App& command, std::string& rules);
/// Parses "5%", "2.5 %" or "5"; returns nullopt for negative numbers and other texts.
std::optional<double> percentFromText(const std::string& text);

/// Adds `--with` and `--offset`.
void addAuxiliaryFiles(CLI::App& command, AuxiliaryOptions& auxiliaryFiles);
/// Adds `--out`, which is required, and `--force`.
void addOutputOptions(CLI::App& command, std::string& out, bool& force);

/// Parses "A:B" as numbers with A < B; nullopt if the text has another form.
template <typename Number>
std::optional<std::pair<Number, Number>> parsedRange(std::string_view text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    const auto first = parsedNumber<Number>(text.substr(0, colon));
    const auto last = parsedNumber<Number>(text.substr(colon + 1));
    return first && last && *first < *last ? std::optional(std::pair(*first, *last)) : std::nullopt;
}

/// Parses "A:B" (B excluded) with −1 ≤ A < B ≤ events. An empty text selects all events, or {−1, 0} if there
/// are none. Fails with BadRequest.
Result<EventRange> parseEventRange(const std::string& text, std::int64_t events);

} // namespace highwater::cli
