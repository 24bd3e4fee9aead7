#pragma once

#include <string_view>

/// Syntax of paths, for finding them in prose.
namespace highwater {

/// Whether `c` is one of `characters`.
bool isOneOf(char c, std::string_view characters);

/// Always ends a path: line breaks, tabs, double quotes, "<", ">", "|", ";".
bool endsPath(char c);
/// Ends a word; ends a path only if the path does not continue after it.
bool endsWord(char c);

/// Letters, digits, "_", and bytes of characters beyond ASCII.
bool isNameCharacter(char c);

/// Whether a file name, with an optional line after a colon, "#" or "@", has a file extension: "gpt.py:3",
/// "train.pickle.zst", "libc.so.6".
bool hasFileExtension(std::string_view name);

/// The part after the last separator, ignoring trailing ones; `separators` are "/" or "/\\".
std::string_view lastPart(std::string_view path, std::string_view separators);
/// The number of parts between separators.
std::size_t countParts(std::string_view path, std::string_view separators);

/// "https" if "https://" begins at `at`; else empty.
std::string_view schemeAt(std::string_view text, std::size_t at);

/// Length of the root of an absolute path at `at`: 1 for "/x", 2 for "~/" and "\\\\x", 3 for "C:\\"; 0: there
/// is none. Does not look at the text before it.
std::size_t rootLength(std::string_view text, std::size_t at);

} // namespace highwater
