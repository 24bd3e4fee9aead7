#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater::test {

/// Returns the breaches of the style of comments in a C++ file, as "path:line: reason": comments that begin
/// with Of, What or Whether, that refer to the comment above in place of a subject ("Those of …"), or that
/// describe a missing value as "none: …" or "null: …".
std::vector<std::string> commentBreaches(const std::string& path, std::string_view text);

/// Returns the breaches of the style of texts for people, as "line: reason": figures with trailing zeros
/// ("48.00 MiB"), percents with a space, and phrases that readers had to decode.
std::vector<std::string> wordBreaches(std::string_view text);

} // namespace highwater::test
