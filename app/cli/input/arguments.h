#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/input/companions.h"
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
/// The same, and 0 is allowed.
void addLimit(
    CLI::App& command, const std::string& name, std::optional<Bytes>& into, const std::string& help);
void addCommon(CLI::App& command, CommonOptions& options, bool several);
/// `--max-memory` and `--max-inflate`, which addCommon adds, too.
void addMemoryLimits(CLI::App& command, CommonOptions& options);
/// `--rank`, for commands that answer for a run.
void addRank(CLI::App& command, CommonOptions& options);
void addDevice(CLI::App& command, std::optional<std::string>& device);
/// How many rows of a table are printed; 0: all.
void addTop(CLI::App& command, std::size_t& top, const std::string& help);
void addRules(CLI::App& command, std::string& rules);
/// "5%", "2.5 %", "5"; none: no number of 0 and more.
std::optional<double> percentFromText(const std::string& text);

/// `--with` and `--offset`.
void addCompanions(CLI::App& command, CompanionOptions& companions);
void addOut(CLI::App& command, std::string& out, bool& force);

/// "A:B" with −1 ≤ A < B ≤ events; all events where the text is empty. Fails with BadRequest.
Result<EventRange> parseEventRange(const std::string& text, std::int64_t events);

/// Whether a device with so many events has this one (−1: the moment before the first). Fails with
/// BadRequest.
Result<std::int64_t> checkedEvent(std::int64_t event, std::int64_t events);

} // namespace highwater::cli
