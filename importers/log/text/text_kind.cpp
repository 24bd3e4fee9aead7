#include "importers/log/text/text_kind.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/text_parts.h"

namespace highwater::logs {

namespace {

constexpr std::size_t kLongestBeginning = 2048; ///< of a page, before its first element
constexpr std::size_t kLinesOfCode = 60; ///< that are looked at
constexpr std::size_t kFewestOfCode = 3; ///< statements among them

bool startsWithAnyCase(std::string_view text, std::string_view lower)
{
    return text.size() >= lower.size()
        && std::equal(lower.begin(), lower.end(), text.begin(), [](char l, char c) {
               return l == static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
           });
}

/// Statements that begin a line in a language.
struct Language
{
    std::string_view name;
    std::array<std::string_view, 8> starts;
};

constexpr std::array kLanguages = {
    Language{"Python source code",
        {"import ", "from ", "def ", "class ", "    def ", "    return ", "@", "if __name__"}},
    Language{"C or C++ source code",
        {"#include ", "#pragma ", "namespace ", "#define ", "#ifndef ", "template <", "using ", "typedef "}},
    Language{"a shell script",
        {"#!/bin/", "#!/usr/bin/env bash", "export ", "fi", "#SBATCH ", "set -", "done", "echo "}},
};

} // namespace

bool isWebPage(std::string_view prefix)
{
    if (prefix.starts_with("\xEF\xBB\xBF"))
        prefix.remove_prefix(3);
    prefix = trimmed(prefix.substr(0, kLongestBeginning));
    return startsWithAnyCase(prefix, "<!doctype html") || startsWithAnyCase(prefix, "<html")
        || (prefix.starts_with("<?xml") && contains(prefix, "<html"));
}

std::string_view textKind(std::string_view prefix)
{
    for (const Language& language : kLanguages) {
        std::size_t statements = 0;
        std::string_view rest = prefix;
        for (std::size_t lines = 0; lines < kLinesOfCode && !rest.empty(); ++lines) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            const std::string_view line = rest.substr(0, end);
            statements += std::ranges::any_of(
                language.starts, [&](std::string_view start) { return line.starts_with(start); });
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (statements >= kFewestOfCode)
            return language.name;
    }
    return {};
}

} // namespace highwater::logs
