#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace highwater::cli {

/// What the parser knows of an option or of an argument without a name. Help, completions, manual pages and
/// refusals are made of it, so that none of them lists anything a second time.
struct OptionFacts
{
    std::vector<std::string> names; ///< "-o", "--out"; empty: an argument without a name
    std::string valueName; ///< "FILE"; empty: a flag
    std::vector<std::string> values; ///< all it can be, where these are few
    std::string help;
    std::string standard; ///< its default; empty: none, or told in the help
    bool isRequired = false;
    bool takesSeveral = false; ///< values one behind the other

    bool isFlag() const { return valueName.empty(); }
    bool isArgument() const { return names.empty(); }
    /// Its value is the path of a file or a folder.
    bool takesPath() const;
    /// "--out"; "FILE".
    const std::string& mainName() const;
};

struct CommandFacts
{
    std::string name; ///< "peaks"; of the program itself "highwater"
    std::string help;
    std::string footer; ///< several lines; empty: none
    std::vector<OptionFacts> options; ///< arguments first, then in the parser's order
};

OptionFacts factsOf(const CLI::Option& option);
CommandFacts factsOf(const CLI::App& command);
/// All commands of the program, in the parser's order.
std::vector<CommandFacts> commandsOf(const CLI::App& program);
std::vector<std::string> commandNames(const CLI::App& program);

/// "stack" and "site" of "{stack,site}" and of "stack|site": how validators describe what they take; empty
/// for other texts.
std::vector<std::string> valuesIn(const std::string& description);

} // namespace highwater::cli
