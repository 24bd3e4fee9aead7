#include "importers/log/text/text_kind.h"

#include <algorithm>
#include <array>

namespace highwater::logs {

namespace {

constexpr std::size_t kLinesOfCode = 60; ///< that are looked at
constexpr std::size_t kFewestOfCode = 3; ///< statements among them

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
