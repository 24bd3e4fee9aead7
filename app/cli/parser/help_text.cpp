#include "app/cli/parser/help_text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/parser/parser_facts.h"
#include "core/base/text/wrapped_text.h"

namespace highwater::cli {

namespace {

/// Commands under one heading of `highwater --help`. Every command is in exactly one.
struct CommandGroup
{
    std::string_view title;
    std::span<const std::string_view> commands;
};

constexpr std::size_t kWidth = 100;
/// Longer lists of values are left out of the help.
constexpr std::size_t kMaxValues = 12;

constexpr std::array<std::string_view, 5> kLook{"findings", "info", "peaks", "segments", "what-if"};
constexpr std::array<std::string_view, 2> kCompare{"diff", "ranks"};
constexpr std::array<std::string_view, 2> kJudge{"check", "budget"};
constexpr std::array<std::string_view, 2> kRecord{"record", "rehearse"};
constexpr std::array<std::string_view, 3> kShare{"report", "figure", "export"};
constexpr std::array<std::string_view, 9> kOther{
    "open", "mcp", "cut", "summarize", "convert", "help", "completions", "man", "bench"};
constexpr std::array<CommandGroup, 6> kGroups{{{"Look", kLook}, {"Compare", kCompare}, {"Judge", kJudge},
    {"Record and rehearse", kRecord}, {"Share", kShare}, {"Other", kOther}}};

constexpr std::string_view kUsage
    = "Usage: highwater FILE...                what is wrong, as highwater findings\n"
      "       highwater COMMAND [OPTIONS] ...\n";

constexpr std::string_view kExamples
    = "Examples:\n"
      "  highwater oom_snapshot.pickle                      what went wrong, and what to do\n"
      "  highwater diff before.pickle after.pickle          whether the fix worked\n"
      "  highwater rehearse --gpu A100 -- python train.py   whether a script fits, before renting a GPU\n";

constexpr std::string_view kClosing
    = "highwater COMMAND --help shows a command's options, highwater help FINDING explains "
      "a finding.\n";

/// Formats a name, and to its right the text, wrapped from `column` on. A name that is too long gets a line
/// of its own.
std::string helpEntry(const std::string& name, const std::string& text, std::size_t column)
{
    const std::string head = "  " + name;
    if (head.size() + 2 > column)
        return head + '\n' + wrappedText(text, kWidth, column, column) + '\n';
    std::string lines = wrappedText(text, kWidth, column, column);
    return lines.replace(0, head.size(), head) + '\n';
}

std::string nameInHelp(const OptionFacts& option)
{
    if (option.isArgument())
        return option.valueName + (option.takesSeveral ? "..." : "");
    const std::string value = option.valueName.empty() ? std::string()
        : option.valueName == "TEXT"                   ? " VALUE"
                                                       : " " + option.valueName;
    return fmt::format("{}{}", fmt::join(option.names, ", "), value);
}

/// True if the help already lists all values: "events: one row each; steps: …", "category, site (default: …".
bool explainsItsValues(const OptionFacts& option)
{
    return std::ranges::all_of(option.values, [&](const std::string& value) {
        return std::ranges::any_of(std::array{":", ",", " ("},
            [&](const char* end) { return option.help.find(value + end) != std::string::npos; });
    });
}

/// Returns the help with the possible values and the default, in this order.
std::string textInHelp(const OptionFacts& option)
{
    std::string text = option.help;
    const bool isListedElsewhere = option.valueName == "GPU" || option.valueName == "RULE";
    if (option.values.size() <= kMaxValues && !isListedElsewhere && !explainsItsValues(option)) {
        const std::size_t standard = text.ends_with(')') ? text.rfind(" (default: ") : std::string::npos;
        text.insert(std::min(standard, text.size()), fmt::format(" [{}]", fmt::join(option.values, ", ")));
    }
    if (!option.standard.empty())
        text += fmt::format(" (default: {})", option.standard);
    return text;
}

/// Lists the options that `isListed` selects under a heading.
template <typename IsListed>
std::string optionList(const CommandFacts& command, std::string_view heading, IsListed isListed)
{
    constexpr std::size_t kColumn = 28;
    std::string text;
    for (const OptionFacts& option : command.options)
        if (std::invoke(isListed, option))
            text += helpEntry(nameInHelp(option), textInHelp(option), kColumn);
    return text.empty() ? text : fmt::format("\n{}:\n{}", heading, text);
}

bool isOwnOption(const OptionFacts& option)
{
    return !option.isArgument() && !option.isCommon;
}

std::string usageInHelp(const CommandFacts& command)
{
    std::string usage = "Usage: highwater " + command.name + " [OPTIONS]";
    for (const OptionFacts& option : command.options)
        if (option.isArgument())
            usage += option.isRequired ? " " + nameInHelp(option) : fmt::format(" [{}]", nameInHelp(option));
    return usage + '\n';
}

/// Keeps the lines of a footer, and wraps those that are too long.
std::string wrappedFooter(std::string_view footer)
{
    std::string text;
    while (!footer.empty()) {
        const std::size_t end = std::min(footer.find('\n'), footer.size());
        text += wrappedText(footer.substr(0, end), kWidth, 0, 0) + '\n';
        footer.remove_prefix(std::min(end + 1, footer.size()));
    }
    return text;
}

std::string helpOfCommand(const CommandFacts& command, bool isShort)
{
    std::string text = wrappedText(command.help, kWidth, 0, 0) + "\n\n" + usageInHelp(command)
        + optionList(command, "Arguments", &OptionFacts::isArgument)
        + optionList(command, "Options", isOwnOption);
    std::string rest
        = optionList(command, kCommonGroup, [](const OptionFacts& option) { return option.isCommon; });
    if (!command.footer.empty())
        rest += '\n' + wrappedFooter(command.footer);
    if (isShort && !rest.empty())
        rest = fmt::format("\nhighwater {} --help prints all.\n", command.name);
    return text + rest;
}

std::string helpOfProgram(const CLI::App& app, bool isShort)
{
    constexpr std::size_t kColumn = 15;
    const std::vector<CommandFacts> commands = commandsOf(app);
    std::string text = fmt::format("{}\n\n{}\n{}", app.get_description(), kUsage, kExamples);
    for (const CommandGroup& group : kGroups) {
        if (isShort && group.commands.data() == kOther.data())
            continue;
        text += fmt::format("\n{}:\n", group.title);
        for (const std::string_view name : group.commands) {
            const auto command = std::ranges::find(commands, name, &CommandFacts::name);
            text += helpEntry(command->name, command->help, kColumn);
        }
    }
    if (!isShort)
        text += optionList(factsOf(app), "Options", isOwnOption);
    return text + '\n' + std::string(kClosing);
}

} // namespace

std::string HelpText::make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const
{
    return app->get_parent() ? helpOfCommand(factsOf(*app), m_isShort) : helpOfProgram(*app, m_isShort);
}

bool asksForShortHelp(int argc, const char* const* argv)
{
    for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i)
        if (std::string_view(argv[i]) == "-h")
            return true;
    return false;
}

} // namespace highwater::cli
