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

/// Returns the page of the program: all commands, its options, files and exit codes.
ManPage manPage(const CommandFacts& program, const std::vector<CommandFacts>& commands);
/// Returns the page of a command, with all of its arguments and options.
ManPage manPage(const CommandFacts& command);

} // namespace highwater::cli
