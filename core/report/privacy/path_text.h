#pragma once

#include <string_view>

/// The syntax of paths, for finding them in prose.
namespace highwater {

bool isOneOf(char c, std::string_view characters);

/// True for characters that always end a path: line breaks, tabs, double quotes, "<", ">", "|", ";" and NUL.
bool isPathEnd(char c);
/// True for characters that end a word. They end a path only if the path does not continue after them.
bool isWordEnd(char c);

/// True for letters, digits, "_", and bytes of characters beyond ASCII.
bool isNameCharacter(char c);

/// True if a file name, with an optional line after a colon, "#" or "@", has a file extension, "gpt.py:3",
/// "train.pickle.zst", "libc.so.6", or is one of the known names without any, such as "Makefile".
bool hasFileExtension(std::string_view name);

/// Returns the part after the last separator, ignoring trailing ones; `separators` are "/" or "/\\".
std::string_view lastPart(std::string_view path, std::string_view separators);
/// Returns the number of parts between separators.
std::size_t countParts(std::string_view path, std::string_view separators);

/// Returns "https" if "https://" begins at `at`; else empty.
std::string_view schemeAt(std::string_view text, std::size_t at);

/// Returns the length of the root of an absolute path at `at`: 1 for "/x", that of "~name/", 2 for "\\\\x", 3
/// for "C:\\"; 0 if there is no root. Ignores the text before `at`.
std::size_t rootLength(std::string_view text, std::size_t at);

} // namespace highwater
