#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace highwater::cli {

/// Returns "; did you mean findings?" for a word that people type for one of the known words: another name
/// for it ("analyze", "oom"), else the word most like it. Empty if there is none.
std::string didYouMeanWord(std::string_view word, const std::vector<std::string>& known);

} // namespace highwater::cli
