#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/parser/parser_facts.h"

namespace highwater::cli {

/// Returns a script that makes a shell complete commands, options, their values and files. The script runs no
/// program.
std::string bashCompletions(const std::vector<CommandFacts>& commands);
std::string zshCompletions(const std::vector<CommandFacts>& commands);
std::string fishCompletions(const std::vector<CommandFacts>& commands);

/// Shortens a help text to one line of a menu: the part before the first semicolon or bracket and, if that is
/// longer than 72 bytes, its first whole words and an ellipsis.
std::string briefly(const std::string& help);

} // namespace highwater::cli
