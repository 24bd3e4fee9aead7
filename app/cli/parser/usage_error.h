#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace highwater::cli {

/// One sentence about a command line that cannot be parsed: what is wrong with it, what was probably meant,
/// and what to type next. Sanitized; made of what the parser knows, whatever the command. `arguments` are
/// those of the program.
std::string usageErrorText(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv);

} // namespace highwater::cli
