#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

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

} // namespace highwater
