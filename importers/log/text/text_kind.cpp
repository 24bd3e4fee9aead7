#include "importers/log/text/text_kind.h"

#include <algorithm>
#include <array>

namespace highwater::logs {

namespace {

constexpr std::size_t kExaminedLines = 60; ///< number of lines that are examined
constexpr std::size_t kFewestStatements = 3; ///< fewest statements among the examined lines

/// Beginnings of lines that are statements in a language.
struct Language
{
    TextKind kind;
    std::array<std::string_view, 14> starts; ///< unused items are empty
};

constexpr std::array kLanguages = {
    Language{{"C or C++ source code", true},
        {"#include ", "#include \"", "#pragma ", "namespace ", "#define ", "#ifndef ", "template <", "using ",
            "typedef ", "struct ", "enum class ", "constexpr ", "static ", "/// "}},
    Language{{"Python source code"},
        {"import ", "from ", "def ", "class ", "    def ", "    return ", "@", "if __name__"}},
    Language{{"a shell script"},
        {"#!/bin/", "#!/usr/bin/env bash", "export ", "fi", "#SBATCH ", "set -", "done", "echo "}},
    Language{{"a Markdown document"},
        {"# ", "## ", "### ", "#### ", "- **", "- [", "* [", "[![", "| [", "| `", "|---", "| --"}},
};

/// True if the line begins like a statement of the language.
bool isStatement(std::string_view line, const Language& language)
{
    return std::ranges::any_of(
        language.starts, [&](std::string_view start) { return !start.empty() && line.starts_with(start); });
}

} // namespace

TextKind textKind(std::string_view prefix)
{
    for (const Language& language : kLanguages) {
        std::size_t statementCount = 0;
        std::string_view rest = prefix;
        for (std::size_t lines = 0; lines < kExaminedLines && !rest.empty(); ++lines) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            statementCount += isStatement(rest.substr(0, end), language);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (statementCount >= kFewestStatements)
            return language.kind;
    }
    return {};
}

} // namespace highwater::logs
