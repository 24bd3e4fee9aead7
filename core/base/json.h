#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

/// Includes nlohmann/json for everybody: the members of both kinds of values, the parser and the writer are
/// compiled once, in json.cpp, not in each file that has a document.
extern template class nlohmann::basic_json<>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace highwater {

/// Values of a text, objects sorted by key; `is_discarded()` where the text is no JSON. O(bytes), without
/// limits: texts of others go through `parseJsonDocument`.
nlohmann::json parseJson(std::string_view text);

/// As above, and discarded where a number is not whole: of such a one the library would make any integer.
nlohmann::json parseWholeJson(std::string_view text);

/// As `parseJson`, objects in the order of the text. Each key of an object is compared with those before it.
nlohmann::ordered_json parseOrderedJson(std::string_view text);

/// A value as text, on one line or indented by so many blanks. Bytes that are not UTF-8 become U+FFFD.
std::string jsonText(const nlohmann::json& value, int indent = -1);
std::string jsonText(const nlohmann::ordered_json& value, int indent = -1);

/// What is there as JSON; null where nothing is.
template <typename Json = nlohmann::ordered_json, typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

/// A text that is there; null for an empty one.
nlohmann::ordered_json textOrNull(std::string_view text);

} // namespace highwater
