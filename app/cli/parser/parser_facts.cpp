#include "app/cli/parser/parser_facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include <CLI/CLI.hpp>

#include "core/analysis/detectors/rule_table.h"
#include "core/run/gpu_models.h"

namespace highwater::cli {

namespace {

/// Names of values that are paths.
constexpr std::array<std::string_view, 7> kPaths
    = {"FILE", "RUN", "OUT", "OUT.svg", "SNAPSHOT", "TRACE", "FOLDER"};

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.emplace_back(text.substr(0, end));
        if (end == text.size())
            return parts;
        text.remove_prefix(end + 1);
    }
}

bool isWord(const std::string& text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    });
}

/// Returns the values that the program knows for options whose value has this name: GPUs or rules.
std::vector<std::string> valuesNamed(const std::string& valueName)
{
    std::vector<std::string> values;
    if (valueName == "GPU")
        for (const GpuModel& gpu : gpuModels())
            values.push_back(gpu.name);
    if (valueName == "RULE")
        values = {"faults", "facts", "leak", "oom"};
    if (valueName == "RULE")
        for (const std::string_view rule : ruleNames())
            values.emplace_back(rule);
    return values;
}

/// Returns the end of the value's name in "N", "TEXT:{stack,site}", "INT:INT in [1 - 64]" or "A:B": the rest
/// describes the option's validators, unless it is a part of the name.
std::size_t valueNameEnd(const std::string& type)
{
    const std::size_t colon = std::min(type.find(':'), type.size());
    const std::string rest = type.substr(std::min(colon + 1, type.size()));
    const bool isPartOfName = !rest.empty() && rest != CLI::PositiveNumber.get_description()
        && rest != CLI::NonNegativeNumber.get_description()
        && std::ranges::all_of(rest, [](char c) { return c >= 'A' && c <= 'Z'; });
    return isPartOfName ? type.size() : colon;
}

/// Returns the place of an option in lists: arguments, then the command's own options, then those of all
/// commands.
int listPlace(const OptionFacts& option)
{
    return option.isArgument() ? 0 : option.isCommon ? 2 : 1;
}

} // namespace

bool OptionFacts::takesPath() const
{
    return std::ranges::find(kPaths, valueName) != kPaths.end();
}

const std::string& OptionFacts::mainName() const
{
    return names.empty() ? valueName : names.back();
}

std::vector<std::string> valuesIn(const std::string& description)
{
    std::string text = description;
    const bool isSet = text.size() > 2 && text.front() == '{' && text.back() == '}';
    if (isSet)
        text = text.substr(1, text.size() - 2);
    std::vector<std::string> values = split(text, isSet ? ',' : '|');
    if ((!isSet && values.size() < 2) || !std::ranges::all_of(values, isWord))
        values.clear();
    return values;
}

OptionFacts factsOf(const CLI::Option& option)
{
    OptionFacts facts;
    for (const std::string& name : option.get_snames())
        facts.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        facts.names.push_back("--" + name);
    facts.help = option.get_description();
    facts.isRequired = option.get_required();
    facts.isCommon = option.get_group() == kCommonGroup;
    if (option.get_type_size() == 0)
        return facts;
    facts.takesSeveral = option.get_expected_max() > 1;
    facts.standard = option.get_default_str();
    const std::string type = option.get_type_name();
    const std::size_t end = valueNameEnd(type);
    facts.valueName = type.substr(0, end);
    if (end < type.size())
        facts.values = valuesIn(type.substr(end + 1));
    if (facts.values.empty())
        facts.values = valuesNamed(facts.valueName);
    if (facts.valueName == "TEXT" && facts.names.empty())
        facts.valueName = option.get_name(true);
    return facts;
}

CommandFacts factsOf(const CLI::App& command)
{
    CommandFacts facts{command.get_name(), command.get_description(), command.get_footer(), {}};
    for (const CLI::Option* option : command.get_options({})) {
        if (option->get_group().empty())
            continue;
        facts.options.push_back(factsOf(*option));
        if (option != command.get_help_ptr())
            continue;
        OptionFacts shortHelp = facts.options.back();
        shortHelp.names = {"-h"};
        shortHelp.help = "Print a short help";
        facts.options.back().names = {"--help"};
        facts.options.insert(facts.options.end() - 1, std::move(shortHelp));
    }
    std::stable_sort(facts.options.begin(), facts.options.end(),
        [](const OptionFacts& a, const OptionFacts& b) { return listPlace(a) < listPlace(b); });
    return facts;
}

std::vector<CommandFacts> commandsOf(const CLI::App& program)
{
    std::vector<CommandFacts> commands;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        commands.push_back(factsOf(*command));
    return commands;
}

std::vector<std::string> commandNames(const CLI::App& program)
{
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return names;
}

} // namespace highwater::cli
