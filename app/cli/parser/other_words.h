#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater::cli {

/// Returns "; did you mean findings?" for a word that stands for one of the known words in other tools
/// ("analyze", "oom"), or else resembles one. Empty if no known word is near.
std::string didYouMeanWord(std::string_view word, const std::vector<std::string>& known);

} // namespace highwater::cli
