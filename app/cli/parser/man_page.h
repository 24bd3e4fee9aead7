#pragma once

#include <string>
#include <vector>

#include "app/cli/parser/parser_facts.h"

namespace highwater::cli {

/// A file of section 1 of the manual.
struct ManPage
{
    std::string fileName; ///< "highwater-peaks.1"
    std::string text; ///< roff with the man macros
};

/// The page of the program: all commands, what they have in common, exit codes.
ManPage manPage(const CommandFacts& program, const std::vector<CommandFacts>& commands);
/// The page of a command: every argument and option of it.
ManPage manPage(const CommandFacts& command);

} // namespace highwater::cli
