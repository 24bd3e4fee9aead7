#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace highwater::cli {

/// The parser's group of the options that every command for files has. Its name is the heading in the help.
inline constexpr const char* kCommonGroup = "Options of all commands";

/// The parser's facts about an option or a positional argument. Help, completions, manual pages and error
/// messages are generated from these facts, so that no list exists twice.
struct OptionFacts
{
    std::vector<std::string> names; ///< "-o", "--out"; empty for a positional argument
    std::string valueName; ///< "FILE"; empty for a flag
    std::vector<std::string> values; ///< the values that the parser or this program knows; may be empty
    std::string help;
    std::string standard; ///< the default value; empty if there is none or `help` names it
    bool isRequired = false;
    bool isCommon = false; ///< every command for files has it
    bool takesSeveral = false; ///< several values, one after the other

    bool isFlag() const { return valueName.empty(); }
    bool isArgument() const { return names.empty(); }
    /// True if its value is the path of a file or a folder.
    bool takesPath() const;
    /// Returns "--out", or "FILE" for a positional argument.
    const std::string& mainName() const;
};

/// The parser's facts about a command, or about the program.
struct CommandFacts
{
    std::string name; ///< "peaks"; "highwater" for the program itself
    std::string help;
    std::string footer; ///< several lines; may be empty
    std::vector<OptionFacts> options; ///< arguments, own options, common options
};

/// Returns the parser's facts about an option, or about a command without its hidden options. The flags -h
/// and --help are two options, since they print different helps.
OptionFacts factsOf(const CLI::Option& option);
CommandFacts factsOf(const CLI::App& command);
/// Returns all commands of the program, in the parser's order.
std::vector<CommandFacts> commandsOf(const CLI::App& program);
std::vector<std::string> commandNames(const CLI::App& program);

/// Returns the values in a validator's description: "stack" and "site" for "{stack,site}" or "stack|site";
/// empty for other texts.
std::vector<std::string> valuesIn(const std::string& description);

} // namespace highwater::cli
