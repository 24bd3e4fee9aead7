#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/log_event.h"

namespace highwater {

/// The functions that return a Result parse the value of a setting. They fail with Malformed, the line if
/// known, and a message that names the setting and shows the value; a long value is truncated.

/// Parses a whole number from `least` to `most`: "8", "8.0", "4e7", "40_000_000".
Result<std::int64_t> parseWholeNumber(const ConfigurationEntry& entry, std::int64_t least, std::int64_t most);
/// Parses true or false, yes or no, on or off, in lower case or capitalized; TRUE or FALSE; 1 or 0.
Result<bool> parseFlag(const ConfigurationEntry& entry);
/// Parses a number above 0 and at most 1.
Result<double> parseShare(const ConfigurationEntry& entry);

/// Returns the error `"batch" is x, reason`, where the reason is a clause: "which is not a number".
tl::unexpected<Error> valueError(const ConfigurationEntry& entry, const std::string& reason);
/// Returns the error `"batch" problem`, where the problem is a verb phrase: "is given twice".
tl::unexpected<Error> keyError(const ConfigurationEntry& entry, const std::string& problem);
/// Prepares a text for error messages: no control characters, and at most 60 bytes, cut between
/// characters, before an ellipsis.
std::string quotedText(std::string_view text);
/// True if the setting is given without a value: null, ~ or empty.
bool isNull(const ConfigurationEntry& entry);

/// Lists of settings that outlive this object; for one name, earlier lists take precedence.
using SettingLists = std::vector<const std::vector<ConfigurationEntry>*>;

/// Returns the first positive integer in any list for one of the names, in order of the names; nullopt if
/// there is none. Names are compared by their last part ("model.vocab_size" is "vocab_size"). O(names ×
/// settings).
std::optional<std::int64_t> positiveSetting(
    const SettingLists& lists, std::initializer_list<std::string_view> names);

/// Returns the first number above 0 and at most 1, found in the same way; nullopt if there is none.
std::optional<double> shareSetting(const SettingLists& lists, std::initializer_list<std::string_view> names);

} // namespace highwater
