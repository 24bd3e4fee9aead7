#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater::logs {

/// Splits a command line into words like a shell; quotes and backslashes are removed. At most 10,000.
std::vector<std::string> shellWords(std::string_view command);

/// Splits at commas outside of quotes and brackets.
std::vector<std::string_view> splitArguments(std::string_view text);

/// Whether a setting of that name may hold a secret.
bool isSecretName(std::string_view name);

/// Without the quotes around it, single or double.
std::string_view unquoted(std::string_view text);

} // namespace highwater::logs
