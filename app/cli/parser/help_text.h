#pragma once

#include <span>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace highwater::cli {

/// Commands under one heading of `highwater --help`.
struct CommandGroup
{
    std::string_view title;
    std::span<const std::string_view> commands;
};

/// Returns the groups in the order of the help. Every command is in exactly one.
std::span<const CommandGroup> commandGroups();

/// Prints the help of the program and of its commands from the facts of the parser, in lines of at most 100
/// characters. The short form (`-h`) leaves out footers and the commands that few people type.
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

/// Returns true if the command line asks for the short help: "-h" before any "--".
bool asksForShortHelp(int argc, const char* const* argv);

} // namespace highwater::cli
