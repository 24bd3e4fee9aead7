#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Finds suggestions for mistyped words.
namespace highwater {

/// Returns the known word most like `text`, the first of equally similar ones; nullopt if none is similar
/// enough. Case, '-', '_' and blanks are ignored. A word is similar if it starts with `text`, or if few
/// letters have to be added, removed, changed or swapped: one, a third of the letters, or two if `text` has
/// four letters or more and both start with the same one. Compares the first 64 characters. O(words ×
/// length²).
std::optional<std::string_view> nearestText(std::string_view text, std::span<const std::string_view> known);
std::optional<std::string> nearestText(std::string_view text, const std::vector<std::string>& known);

/// Returns "; did you mean peaks?", to append to an error message; empty if no word is near.
std::string didYouMean(std::string_view text, std::span<const std::string_view> known);
std::string didYouMean(std::string_view text, const std::vector<std::string>& known);

} // namespace highwater
