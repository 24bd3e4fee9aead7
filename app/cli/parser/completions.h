#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/parser/parser_facts.h"

namespace highwater::cli {

/// A script that makes a shell complete commands, options, their values and files; it calls nothing.
std::string bashCompletions(const std::vector<CommandFacts>& commands);
std::string zshCompletions(const std::vector<CommandFacts>& commands);
std::string fishCompletions(const std::vector<CommandFacts>& commands);

/// A help text for one line of a menu: its first sentence or clause, 72 letters at most.
std::string briefly(const std::string& help);

} // namespace highwater::cli
