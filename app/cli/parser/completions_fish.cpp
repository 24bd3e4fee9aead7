#include <fmt/format.h>

#include "app/cli/parser/completions.h"

namespace highwater::cli {

namespace {

/// Puts the text between single quotes.
std::string inQuotes(const std::string& text)
{
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "'";
}

/// Returns a list of values for -a, separated by spaces.
std::string fishWords(const std::vector<std::string>& values)
{
    std::string out;
    for (const std::string& value : values) {
        out += out.empty() ? "" : " ";
        for (const char c : value)
            out += c == ' ' ? std::string("\\ ") : std::string(1, c);
    }
    return inQuotes(out);
}

std::string valuesOfOption(const OptionFacts& option)
{
    return !option.values.empty() ? " -x -a " + fishWords(option.values)
        : option.takesPath()      ? " -r -F"
        : option.isFlag()         ? ""
                                  : " -x";
}

/// Returns the line that completes an option or argument; empty if there is nothing to complete.
std::string lineOf(const CommandFacts& command, const OptionFacts& option)
{
    std::string line = fmt::format("complete -c highwater -n '__fish_seen_subcommand_from {}'", command.name);
    if (option.isArgument())
        return option.values.empty() && !option.takesPath()
            ? std::string()
            : line + (option.values.empty() ? " -F" : " -a " + fishWords(option.values)) + "\n";
    for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    return line + valuesOfOption(option) + " -d " + inQuotes(briefly(option.help)) + "\n";
}

} // namespace

std::string fishCompletions(const std::vector<CommandFacts>& commands)
{
    std::string text = "# Completions of highwater for fish, made by `highwater completions fish`.\n"
                       "complete -c highwater -f\n"
                       "complete -c highwater -n __fish_use_subcommand -l help -d 'Print the commands'\n"
                       "complete -c highwater -n __fish_use_subcommand -l version -d 'Print the version'\n";
    for (const CommandFacts& command : commands)
        text += fmt::format("complete -c highwater -n __fish_use_subcommand -a {} -d {}\n", command.name,
            inQuotes(briefly(command.help)));
    for (const CommandFacts& command : commands)
        for (const OptionFacts& option : command.options)
            text += lineOf(command, option);
    return text;
}

} // namespace highwater::cli
