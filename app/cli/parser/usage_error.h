#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace highwater::cli {

/// Returns one sentence about a command line that cannot be parsed: what is wrong, what was probably meant,
/// and what to type next. The text is sanitized. `argc` and `argv` are those of `main`.
std::string usageErrorText(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv);

} // namespace highwater::cli
