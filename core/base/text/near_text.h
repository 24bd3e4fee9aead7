#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Suggestions for mistyped words.
namespace highwater {

/// Returns the known word most like `text`: equal except for upper and lower case, '-' and '_', or starting
/// with it, or differing by a few letters that are added, left out, changed or swapped (a third of the
/// letters; two if both start with the same letter). Nullopt if no word is that near; the first of equally
/// near ones. O(words × length²), of the first 64 letters.
std::optional<std::string_view> nearestText(std::string_view text, std::span<const std::string_view> known);
std::optional<std::string> nearestText(std::string_view text, const std::vector<std::string>& known);

/// Returns "; did you mean peaks?", to append to an error message; empty if no word is near.
std::string didYouMean(std::string_view text, std::span<const std::string_view> known);
std::string didYouMean(std::string_view text, const std::vector<std::string>& known);

} // namespace highwater
