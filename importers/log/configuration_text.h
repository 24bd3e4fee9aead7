#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater::logs {

/// Splits a command line into words like a shell and removes quotes and backslashes. Returns at most 10,000
/// words.
std::vector<std::string> shellWords(std::string_view command);

/// Splits at commas outside quotes and brackets, and trims the parts. Returns at most 10,000 parts.
std::vector<std::string_view> splitArguments(std::string_view text);

/// True if the name has a word that usually names a secret.
bool isSecretName(std::string_view name);

/// Removes the quotes around a text, single or double.
std::string_view unquoted(std::string_view text);

} // namespace highwater::logs
