#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

/// The include of nlohmann/json for all code: both value types, the parser and the writer are compiled once,
/// in json.cpp, rather than in each file that uses them.
extern template class nlohmann::basic_json<>;
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace highwater {

/// Parses a text, with object keys sorted; the result `is_discarded()` if the text is not JSON. There are no
/// limits: use `parseJsonDocument` for untrusted texts.
nlohmann::json parseJson(std::string_view text);

/// Parses as `parseJson` does, but also discards a text with a number that is not written as an integer or
/// does not fit in 64 bits: the library would convert it to some integer.
nlohmann::json parseIntegerJson(std::string_view text);

/// Parses as `parseJson` does, with object keys in the order of the text. Each key of an object is compared
/// with those before it, so parsing is quadratic in the keys of an object.
nlohmann::ordered_json parseOrderedJson(std::string_view text);

/// Writes a value as text, on one line or indented by `indent` blanks. Bytes that are not UTF-8 become
/// U+FFFD.
std::string jsonText(const nlohmann::json& value, int indent = -1);
std::string jsonText(const nlohmann::ordered_json& value, int indent = -1);

/// Returns the value as JSON, or null if there is no value.
template <typename Json = nlohmann::ordered_json, typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

/// Returns the text as JSON, or null if it is empty.
nlohmann::ordered_json textOrNull(std::string_view text);

} // namespace highwater
