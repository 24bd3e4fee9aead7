#pragma once

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

/// What is in a text. Views show a part of the text they were given and live as long as it does. All are
/// O(length); those that look for words, times the number of words.
namespace highwater {

/// Of a path of this system, what stands behind the last '/': "run.pickle" of "/data/run.pickle".
std::string_view fileName(std::string_view path);
/// Of a path that a stack names, which may come from any system: behind the last '/' or '\'.
std::string_view sourceFileName(std::string_view path);

/// Without the blanks at its ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");
/// The letters A to Z in lower case, all else as it is, whatever the locale.
std::string lowered(std::string_view text);

/// A path with '/' in place of every '\'.
std::string forwardSlashes(std::string_view path);

bool contains(std::string_view text, std::string_view part);
/// Whether any of the words stands in the text: a list in braces, or anything else that gives string views.
template <typename Words = std::initializer_list<std::string_view>>
bool containsAny(std::string_view text, const Words& words)
{
    for (const std::string_view word : words)
        if (contains(text, word))
            return true;
    return false;
}

/// The number that the whole text is; none: it is no number, or none that the type holds.
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

/// The value of an enumeration whose values have these names, in their order; none: the text is no such name.
template <typename Enum>
std::optional<Enum> valueNamed(std::span<const std::string_view> names, std::string_view text)
{
    const auto found = std::ranges::find(names, text);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

} // namespace highwater
