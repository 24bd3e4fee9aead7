#include <fmt/format.h>

#include "app/cli/parser/completions.h"

namespace highwater::cli {

namespace {

/// Escapes a part of a specification of `_arguments`, which is between single quotes.
std::string escaped(const std::string& text, std::string_view special)
{
    std::string out;
    for (const char c : text)
        if (c == '\'')
            out += "'\\''";
        else if (c == '\\' || special.find(c) != std::string_view::npos)
            (out += '\\') += c;
        else
            out += c;
    return out;
}

/// Returns ":FILE:_files" or ":KEY:(stack site)".
std::string actionOf(const OptionFacts& option)
{
    std::string action;
    for (const std::string& value : option.values)
        action += (action.empty() ? "" : " ") + escaped(value, " ():");
    if (!action.empty())
        action = "(" + action + ")";
    else if (option.takesPath())
        action = "_files";
    return fmt::format(":{}:{}", escaped(option.valueName, ":"), action);
}

/// Returns the specifications of an option, one for each name, for `_arguments`.
std::string specifications(const OptionFacts& option)
{
    const std::string help = escaped(briefly(option.help), "[]:");
    if (option.isArgument())
        return fmt::format(" \\\n                '{}{}'", option.takesSeveral ? "*" : "", actionOf(option));
    std::string text;
    for (const std::string& name : option.names) {
        const bool isLong = name.starts_with("--");
        text += fmt::format(" \\\n                '*{}{}[{}]{}'", name,
            option.isFlag() ? ""
                : isLong    ? "="
                            : "+",
            help, option.isFlag() ? std::string() : actionOf(option));
    }
    return text;
}

} // namespace

std::string zshCompletions(const std::vector<CommandFacts>& commands)
{
    std::string text = "#compdef highwater\n# Completions of highwater for zsh, made by `highwater "
                       "completions zsh`.\n_highwater() {\n    local -a commands\n    commands=(\n";
    for (const CommandFacts& command : commands)
        text += fmt::format("        '{}:{}'\n", command.name, escaped(briefly(command.help), ":"));
    text += "    )\n    if ((CURRENT == 2)); then\n        _describe -t commands 'command' commands\n"
            "        _arguments '--help[Print the commands]' '--version[Print the version]'\n"
            "        return\n    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
            "    case $command in\n";
    for (const CommandFacts& command : commands) {
        text += fmt::format("        {})\n            _arguments -S", command.name);
        for (const OptionFacts& option : command.options)
            text += specifications(option);
        text += "\n            ;;\n";
    }
    return text
        + "    esac\n}\nif [[ $funcstack[1] == _highwater ]]; then\n    _highwater \"$@\"\nelse\n"
          "    compdef _highwater highwater\nfi\n";
}

} // namespace highwater::cli
