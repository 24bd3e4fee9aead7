#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/trace/log_event.h"

namespace highwater {

/// What a setting's text means. Each fails with Malformed and one sentence that names the setting and shows
/// the value, cut where it is long, with the line where there is one.

/// A whole number from `least` to `most`: "8", "8.0", "4e7", "40_000_000".
Result<std::int64_t> wholeNumberOf(const ConfigurationEntry& entry, std::int64_t least, std::int64_t most);
/// true or false, as JSON and YAML 1.1 write them.
Result<bool> flagOf(const ConfigurationEntry& entry);
/// More than 0, at most 1.
Result<double> shareOf(const ConfigurationEntry& entry);

/// The number that the whole text is; infinite and not-a-number where it says so. Fails otherwise.
Result<double> numberOf(const ConfigurationEntry& entry);

/// "batch" is x, `should`.
tl::unexpected<Error> wrongValue(const ConfigurationEntry& entry, const std::string& should);
/// "batch": `wrong`.
tl::unexpected<Error> wrongKey(const ConfigurationEntry& entry, const std::string& wrong);
/// For sentences: no control characters, at most 60 bytes, cut between characters.
std::string quotedText(std::string_view text);
/// Whether the file says that there is no value: null, ~ or nothing.
bool isNull(const ConfigurationEntry& entry);

} // namespace highwater
