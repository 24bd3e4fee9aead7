#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/parser/completions.h"

namespace highwater::cli {

namespace {

constexpr const char* kBegin = R"sh(# Completions of highwater for bash, made by `highwater completions bash`.
_highwater_choose() {
    local current=$1 value
    shift
    for value in "$@"; do
        [[ $value == "$current"* ]] && COMPREPLY+=("$(printf %q "$value")")
    done
}

_highwater_files() {
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$1"))
}

_highwater() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} i
    COMPREPLY=()
    # Bash takes "--group=site" for three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
)sh";

constexpr const char* kBehindDashes = R"sh(    for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == -- ]]; then
            _highwater_files "$current"
            return
        fi
    done
)sh";

constexpr const char* kEnd = R"sh(}
complete -F _highwater highwater
)sh";

/// Returns the values as words of a command, each after a space.
std::string bashWords(const std::vector<std::string>& values)
{
    std::string text;
    for (const std::string& value : values)
        text += value.find(' ') == std::string::npos ? " " + value : " '" + value + "'";
    return text;
}

/// Returns "peaks:--group", or such patterns for all names of the option, separated by "|".
std::string patternOf(const CommandFacts& command, const OptionFacts& option)
{
    std::string pattern;
    for (const std::string& name : option.names)
        pattern += fmt::format("{}{}:{}", pattern.empty() ? "" : "|", command.name, name);
    return pattern;
}

/// Returns the cases that complete the values of the command's options.
std::string valuesOfCommand(const CommandFacts& command)
{
    std::string text;
    for (const OptionFacts& option : command.options) {
        if (option.isArgument() || option.isFlag())
            continue;
        const std::string action = !option.values.empty()
            ? fmt::format("_highwater_choose \"$current\"{}; return", bashWords(option.values))
            : option.takesPath() ? std::string("_highwater_files \"$current\"; return")
                                 : std::string("return");
        text += fmt::format("        {}) {} ;;\n", patternOf(command, option), action);
    }
    return text;
}

/// Returns the case that completes the names of the command's options.
std::string optionsOf(const CommandFacts& command)
{
    std::vector<std::string> names;
    for (const OptionFacts& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return fmt::format(
        "            {}) _highwater_choose \"$current\"{} ;;\n", command.name, bashWords(names));
}

/// Returns the cases that complete the command's positional arguments.
std::string argumentsOf(const CommandFacts& command)
{
    std::string text;
    for (const OptionFacts& option : command.options) {
        if (!option.isArgument())
            continue;
        if (!option.values.empty())
            text += fmt::format(
                "        {}) _highwater_choose \"$current\"{} ;;\n", command.name, bashWords(option.values));
        else if (option.takesPath())
            text += fmt::format("        {}) _highwater_files \"$current\" ;;\n", command.name);
    }
    return text;
}

} // namespace

std::string bashCompletions(const std::vector<CommandFacts>& commands)
{
    std::vector<std::string> names;
    std::string values;
    std::string options;
    std::string arguments;
    for (const CommandFacts& command : commands) {
        names.push_back(command.name);
        values += valuesOfCommand(command);
        options += optionsOf(command);
        arguments += argumentsOf(command);
    }
    names.insert(names.end(), {"--help", "--version"});
    std::string text = kBegin;
    text += fmt::format("    if ((COMP_CWORD == 1)); then\n        _highwater_choose \"$current\"{}\n"
                        "        return\n    fi\n",
        bashWords(names));
    text += kBehindDashes;
    text += fmt::format("    case $command:$before in\n{}    esac\n", values);
    text += fmt::format("    if [[ $current == -* ]]; then\n        case $command in\n{}        esac\n"
                        "        return\n    fi\n",
        options);
    return text + fmt::format("    case $command in\n{}    esac\n", arguments) + kEnd;
}

} // namespace highwater::cli
