#pragma once

#include <string_view>

/// How paths are written, for finding them in running text.
namespace highwater {

/// Whether it is one of them.
bool isOneOf(char c, std::string_view characters);

/// Ends a path for certain: line breaks, tabs, double quotes, "<", ">", "|", ";".
bool endsPath(char c);
/// Ends a word; inside of a path only where no more of it follows.
bool endsWord(char c);

/// Letters, digits, "_", and bytes of characters beyond ASCII.
bool isNameCharacter(char c);

/// Whether a file's name, with a line or more behind a colon, "#" or "@", ends as files do: "gpt.py:3",
/// "train.pickle.zst", "libc.so.6".
bool hasFileExtension(std::string_view name);

/// What stands behind the last separator, trailing ones aside; `separators` are "/" or "/\\".
std::string_view lastPart(std::string_view path, std::string_view separators);
/// How many parts there are between separators.
std::size_t countParts(std::string_view path, std::string_view separators);

/// "https" where "https://" begins at `at`; else empty.
std::string_view schemeAt(std::string_view text, std::size_t at);

/// How long the beginning of a rooted path at `at` is: 1 for "/x", 2 for "~/" and "\\\\x", 3 for "C:\\"; 0:
/// there is none. Does not look at what stands before it.
std::size_t rootLength(std::string_view text, std::size_t at);

} // namespace highwater
