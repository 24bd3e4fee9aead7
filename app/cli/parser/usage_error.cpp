#include "app/cli/parser/usage_error.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "app/cli/parser/other_words.h"
#include "app/cli/parser/parser_facts.h"
#include "core/base/text/near_text.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

bool isFile(const std::string& path)
{
    return ::access(path.c_str(), F_OK) == 0;
}

/// Returns the first argument after the command that looks like an option but is the name of a file.
std::optional<std::string> fileLikeAnOption(int argc, char** argv)
{
    for (int i = 2; i < argc; ++i)
        if (argv[i][0] == '-' && argv[i][1] != '\0' && isFile(argv[i]))
            return sanitizedText(argv[i]);
    return std::nullopt;
}

bool looksLikeAnOption(const std::string& word)
{
    return word.size() > 1 && word.front() == '-' && word != "--";
}

/// Returns "--colour" for "--colour=red".
std::string optionName(const std::string& word)
{
    return word.substr(0, word.find('='));
}

std::vector<std::string> optionNames(const CommandFacts& command)
{
    std::vector<std::string> names;
    for (const OptionFacts& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

/// Returns the commands that have an option of this name.
std::vector<std::string> commandsWith(const CLI::App& program, const std::string& name)
{
    std::vector<std::string> commands;
    for (const CommandFacts& command : commandsOf(program))
        if (std::ranges::count(optionNames(command), name) > 0)
            commands.push_back(command.name);
    return commands;
}

std::string noSuchCommandText(const CLI::App& program, const std::string& word)
{
    const std::string shown = sanitizedText(word);
    if (isFile(word))
        return fmt::format("{0} is a file, but a command must come first: highwater findings {0}", shown);
    return fmt::format("there is no command {}{} (highwater help lists the commands)", shown,
        didYouMeanWord(word, commandNames(program)));
}

/// Returns the name of the command's first positional argument, such as "FILE"; empty if it has none.
std::string argumentName(const CommandFacts& command)
{
    const auto argument = std::ranges::find_if(command.options, &OptionFacts::isArgument);
    return argument == command.options.end() ? std::string() : argument->valueName;
}

std::string noSuchOptionText(const CLI::App& program, const CommandFacts& command, const std::string& word)
{
    const std::string name = optionName(word);
    const std::vector<std::string> others = commandsWith(program, name);
    std::string suggestion = didYouMean(name, optionNames(command));
    if (argumentName(command) == "COMMAND")
        suggestion
            += "; options of the COMMAND come after --, as in -- python train.py " + sanitizedText(name);
    else if (!others.empty())
        suggestion = fmt::format("; {} {} it", fmt::join(others, ", "), others.size() == 1 ? "has" : "have");
    return fmt::format("{} has no option {}{} (see highwater help {})", command.name, sanitizedText(name),
        suggestion, command.name);
}

std::string tooManyText(const CommandFacts& command, const std::string& word)
{
    const std::string name = argumentName(command);
    return fmt::format("{} takes {}, so {} is one too many (see highwater help {})", command.name,
        name.empty() ? "options only" : "one " + name, sanitizedText(word), command.name);
}

/// Describes a required option or argument that is missing, and how to give it.
std::string missingText(const CommandFacts& command, const OptionFacts& option)
{
    if (option.isArgument())
        return fmt::format("{0} needs a {1}, as in highwater {0} {2} (see highwater help {0})", command.name,
            option.valueName,
            option.takesPath()                  ? "snapshot.pickle"
                : option.valueName == "COMMAND" ? "--gpu L4 -- python train.py"
                : option.values.empty()         ? option.valueName
                                                : option.values.front());
    const std::string values = option.values.empty() || option.values.size() > 12
        ? std::string()
        : fmt::format(", one of {}", fmt::join(option.values, ", "));
    return fmt::format("{0} needs {1} {2}{3} (see highwater help {0})", command.name, option.names.front(),
        option.valueName == "TEXT" ? "VALUE" : option.valueName, values);
}

const OptionFacts* optionNamed(const CommandFacts& command, const std::string& name)
{
    const auto found = std::ranges::find_if(command.options, [&](const OptionFacts& option) {
        return std::ranges::count(option.names, name) > 0
            || (option.isArgument() && name == option.valueName);
    });
    return found == command.options.end() ? nullptr : &*found;
}

/// Rewrites the parser's message "--group: colour not in {stack,site}".
std::optional<std::string> notOneOfText(const CommandFacts& command, const std::string& message)
{
    constexpr std::string_view between = " not in {";
    const std::size_t colon = message.find(": ");
    const std::size_t middle = message.rfind(between);
    if (colon == std::string::npos || middle == std::string::npos || middle < colon)
        return std::nullopt;
    const std::string option = message.starts_with('-') ? message.substr(0, colon) : argumentName(command);
    const std::string value = message.substr(colon + 2, middle - colon - 2);
    std::string set = message.substr(middle + between.size() - 1);
    const std::vector<std::string> values = valuesIn(set);
    if (values.empty())
        return std::nullopt;
    return fmt::format("{} has no value {}{} (one of {}; see highwater help {})", option,
        sanitizedText(value), didYouMean(value, values), fmt::join(values, ", "), command.name);
}

/// Rewrites the parser's message "--width: Value 0 not in range 1 to 100000".
std::optional<std::string> notInRangeText(const CommandFacts& command, const std::string& message)
{
    constexpr std::string_view between = " not in range ";
    const std::size_t colon = message.find(": Value ");
    const std::size_t middle = message.rfind(between);
    if (colon == std::string::npos || middle == std::string::npos)
        return std::nullopt;
    const std::string value = message.substr(colon + 8, middle - colon - 8);
    std::string range = message.substr(middle + between.size());
    if (range.find('.') != std::string::npos) // up to the largest number, from 0 or from the smallest above 0
        range = range.starts_with("0 ") ? "0 or more" : "a number above 0";
    return fmt::format("{} takes {}, not {} (see highwater help {})", message.substr(0, colon), range,
        sanitizedText(value), command.name);
}

/// Rewrites the parser's message about a value that is not a number: "Could not convert: --at = noon".
std::optional<std::string> notConvertedText(const CommandFacts& command, const std::string& message)
{
    constexpr std::string_view before = "Could not convert: ";
    const std::size_t equals = message.find(" = ");
    if (!message.starts_with(before) || equals == std::string::npos)
        return std::nullopt;
    const std::string name = message.substr(before.size(), equals - before.size());
    const OptionFacts* option = optionNamed(command, name);
    const std::string value
        = option && option->valueName != "N" ? option->valueName + ", a number" : "a number";
    return fmt::format("{} takes {}, not {} (see highwater help {})", name, value,
        sanitizedText(message.substr(equals + 3)), command.name);
}

/// Describes an option without its value, at the end of the line or before another option.
std::optional<std::string> valueMissingText(const CommandFacts& command, const CLI::ParseError& error)
{
    const std::string message = error.what();
    const std::string name = message.substr(0, message.find(':'));
    const OptionFacts* option = optionNamed(command, name);
    if (error.get_name() != "ArgumentMismatch" || !option || option->isFlag())
        return std::nullopt;
    const std::string values = option->values.empty()
        ? std::string()
        : fmt::format(", one of {}", fmt::join(option->values, ", "));
    return fmt::format(
        "{} needs a value, {}{} (see highwater help {})", name, option->valueName, values, command.name);
}

std::optional<std::string> notTogetherText(const CommandFacts& command, const CLI::ParseError& error)
{
    constexpr std::string_view between = " excludes ";
    const std::string message = error.what();
    const std::size_t middle = message.find(between);
    if (error.get_name() != "ExcludesError" || middle == std::string::npos)
        return std::nullopt;
    return fmt::format("{} and {} cannot be combined; give one of them (see highwater help {})",
        message.substr(0, middle), message.substr(middle + between.size()), command.name);
}

/// Describes an error in the arguments of a command.
std::string errorOfCommand(const CLI::App& program, const CLI::App& parsed, const CLI::ParseError& error)
{
    const CommandFacts command = factsOf(parsed);
    const std::vector<std::string> unparsed = parsed.remaining();
    for (const std::string& word : unparsed)
        if (looksLikeAnOption(word))
            return noSuchOptionText(program, command, word);
    const bool isTooMuch = error.get_name() == "ExtrasError" && !unparsed.empty();
    if (isTooMuch)
        return tooManyText(command, unparsed.front());
    if (error.get_name() == "RequiredError")
        for (const OptionFacts& option : command.options) {
            const std::string& name = option.mainName();
            const CLI::Option* given = option.isArgument() ? nullptr : parsed.get_option_no_throw(name);
            if (option.isRequired && !option.isArgument() && given && given->count() == 0)
                return missingText(command, option);
        }
    if (error.get_name() == "RequiredError")
        for (const OptionFacts& option : command.options)
            if (option.isRequired && option.isArgument())
                return missingText(command, option);
    for (const std::optional<std::string>& text : {notOneOfText(command, error.what()),
             notInRangeText(command, error.what()), notConvertedText(command, error.what()),
             valueMissingText(command, error), notTogetherText(command, error)})
        if (text)
            return *text;
    return fmt::format("{} (see highwater help {})", sanitizedText(error.what()), command.name);
}

} // namespace

std::string usageErrorText(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv)
{
    if (const std::optional<std::string> file = fileLikeAnOption(argc, argv))
        return fmt::format("{0}: write a file name that begins with a dash as ./{0}", *file);
    const std::vector<CLI::App*> parsed = program.get_subcommands();
    if (!parsed.empty())
        return errorOfCommand(program, *parsed.back(), error);
    const std::string first = argc > 1 ? argv[1] : "";
    if (first.empty())
        return "a command is missing; highwater findings FILE shows what is wrong (highwater help lists all)";
    if (looksLikeAnOption(first))
        return fmt::format("there is no option {}{} (see highwater help)", sanitizedText(optionName(first)),
            didYouMean(optionName(first), optionNames(factsOf(program))));
    return noSuchCommandText(program, first);
}

} // namespace highwater::cli
