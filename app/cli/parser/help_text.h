#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace highwater::cli {

/// Formats the help of the program and of its commands from the facts of the parser, wrapped at 100
/// characters. The short form (`-h`) leaves out footers, the options of the program and of all commands, and
/// the commands that few people type.
class HelpText : public CLI::FormatterBase
{
public:
    explicit HelpText(bool isShort)
        : m_isShort(isShort)
    {
    }
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

private:
    bool m_isShort;
};

/// True if the command line asks for the short help: "-h" before any "--".
bool asksForShortHelp(int argc, const char* const* argv);

} // namespace highwater::cli
