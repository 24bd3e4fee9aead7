#pragma once

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

/// Parts of texts. Views refer to the text they were taken from and are valid as long as it is.
namespace highwater {

/// Returns the last component of a path of this system: "run.pickle" from "/data/run.pickle".
std::string_view fileName(std::string_view path);
/// Returns the last component of a path in a stack, which may come from any system: the part after the last
/// '/' or '\'.
std::string_view sourceFileName(std::string_view path);

/// Returns the text without the blanks at both ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");
/// Returns the text with the letters A to Z in lower case, independent of the locale.
std::string lowered(std::string_view text);

/// Returns the path with every '\' replaced by '/'.
std::string forwardSlashes(std::string_view path);

bool contains(std::string_view text, std::string_view part);
inline bool isAnyOf(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::ranges::find(words, text) != words.end();
}
/// True if the text contains any of the words: a list in braces, or any range of string views.
template <typename Words = std::initializer_list<std::string_view>>
bool containsAny(std::string_view text, const Words& words)
{
    for (const std::string_view word : words)
        if (contains(text, word))
            return true;
    return false;
}

/// Parses the whole text as a number; nullopt if it is not a number or does not fit the type.
template <typename T>
std::optional<T> parsedNumber(std::string_view text, int base = 10)
{
    T number{};
    const char* const last = text.data() + text.size();
    std::from_chars_result parsed;
    if constexpr (std::is_floating_point_v<T>)
        parsed = std::from_chars(text.data(), last, number);
    else
        parsed = std::from_chars(text.data(), last, number, base);
    return parsed.ec == std::errc() && parsed.ptr == last ? std::optional(number) : std::nullopt;
}

/// Parses the whole text as a whole number of at least 0; nullopt if it is none.
inline std::optional<std::int64_t> parsedCount(std::string_view text)
{
    const auto number = parsedNumber<std::int64_t>(text);
    return number && *number >= 0 ? number : std::nullopt;
}

/// Returns the value of an enumeration whose values, from 0, have these names, in order; nullopt if the text
/// is none of the names.
template <typename Enum>
std::optional<Enum> valueNamed(std::span<const std::string_view> names, std::string_view text)
{
    const auto found = std::ranges::find(names, text);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

} // namespace highwater
