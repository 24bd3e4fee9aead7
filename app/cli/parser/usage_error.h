#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace highwater::cli {

/// Returns one sentence about a command line that cannot be parsed: what is wrong with it, what was probably
/// meant, and what to type next. Sanitized; made from the parser's facts, for any command. `argc` and `argv`
/// are the program's.
std::string usageErrorText(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv);

} // namespace highwater::cli
