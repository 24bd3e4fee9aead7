#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Finds suggestions for mistyped words.
namespace highwater {

/// Returns the known word most like `text`, the first of equally similar ones; nullopt if none begins with
/// `text` (of two letters or more) or differs from it in few letters only. Case, '-', '_' and blanks are
/// ignored, and so is everything after 64 bytes. O(words × length²).
std::optional<std::string_view> nearestText(std::string_view text, std::span<const std::string_view> known);
std::optional<std::string> nearestText(std::string_view text, const std::vector<std::string>& known);

/// Returns "; did you mean peaks?", to append to an error message; empty if no word is near.
std::string didYouMean(std::string_view text, std::span<const std::string_view> known);
std::string didYouMean(std::string_view text, const std::vector<std::string>& known);

} // namespace highwater
