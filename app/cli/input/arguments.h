#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/input/auxiliary_files.h"
#include "app/cli/input/inputs.h"
#include "core/analysis/usage/event_range.h"
#include "core/base/result.h"
#include "core/base/units.h"

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// Options that several commands take, always under the same name and with the same meaning.
void addSize(CLI::App& command, const std::string& name, std::uint64_t& into, const std::string& help);
/// Does the same for an optional limit, which may be 0.
void addLimit(
    CLI::App& command, const std::string& name, std::optional<Bytes>& into, const std::string& help);
void addCommon(CLI::App& command, CommonOptions& options, bool several);
/// Adds `--max-memory` and `--max-inflate`, which are also part of `addCommon`.
void addMemoryLimits(CLI::App& command, CommonOptions& options);
/// Adds `--rank`, for commands that answer for a run.
void addRank(CLI::App& command, CommonOptions& options);
void addDevice(CLI::App& command, std::optional<std::string>& device);
/// Adds `--top`, the number of rows of a table to print; 0 prints all.
void addTop(CLI::App& command, std::size_t& top, const std::string& help);
void addRules(CLI::App& command, std::string& rules);
/// Parses "5%", "2.5 %" or "5"; nullopt if it is not a number of at least 0.
std::optional<double> percentFromText(const std::string& text);

/// Adds `--with` and `--offset`.
void addAuxiliaryFiles(CLI::App& command, AuxiliaryOptions& auxiliaryFiles);
void addOut(CLI::App& command, std::string& out, bool& force);

/// Parses "A:B" with −1 ≤ A < B ≤ events; an empty text means all events. Fails with BadRequest.
Result<EventRange> parseEventRange(const std::string& text, std::int64_t events);

/// Returns the event if a device with so many events has it (−1 is the moment before the first), else fails
/// with BadRequest.
Result<std::int64_t> checkedEvent(std::int64_t event, std::int64_t events);

} // namespace highwater::cli
