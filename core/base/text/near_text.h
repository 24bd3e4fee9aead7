#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What somebody who mistyped a word may have meant.
namespace highwater {

/// The known word that is most like this one: equal but for upper and lower case, '-' and '_', begun with it,
/// or a few letters away (one in three, or two where both begin alike: added, left out, changed or swapped).
/// None: nothing is that near. The first of equally near ones. O(words × length²), of the first 64 letters.
std::optional<std::string_view> nearestText(std::string_view text, std::span<const std::string_view> known);
std::optional<std::string> nearestText(std::string_view text, const std::vector<std::string>& known);

/// "; did you mean peaks?", to be put behind a refusal; empty where nothing is near.
std::string didYouMean(std::string_view text, std::span<const std::string_view> known);
std::string didYouMean(std::string_view text, const std::vector<std::string>& known);

} // namespace highwater
