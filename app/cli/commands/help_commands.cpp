#include "app/cli/commands/help_commands.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "app/cli/console/output_file.h"
#include "app/cli/console/refusal.h"
#include "app/cli/parser/completions.h"
#include "app/cli/parser/man_page.h"
#include "app/cli/parser/other_words.h"
#include "app/cli/parser/parser_facts.h"
#include "core/analysis/detectors/rule_table.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

const CLI::App* commandNamed(const CLI::App& app, const std::string& name)
{
    const auto found
        = app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
    return found.empty() ? nullptr : found.front();
}

/// Ends the command with the error that `topic` is neither a command nor, with `withRules`, a finding.
[[noreturn]] void refuseTopic(const CLI::App& app, const std::string& topic, bool withRules)
{
    std::vector<std::string> known = commandNames(app);
    if (withRules)
        known.insert(known.end(), ruleNames().begin(), ruleNames().end());
    refuse(withRules ? "help" : "man",
        fmt::format("there is no command {}{}{} (highwater help lists the commands{})",
            withRules ? "or finding " : "", sanitizedText(topic), didYouMeanWord(topic, known),
            withRules ? "; the manual lists the findings" : ""));
}

int printHelp(const CLI::App& app, const std::string& topic)
{
    if (topic.empty()) {
        writeOut(app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
        return Done;
    }
    if (const CLI::App* command = commandNamed(app, topic)) {
        writeOut(command->help(app.get_name()));
        return Done;
    }
    const std::string_view page = rulePage(topic);
    if (page.empty())
        refuseTopic(app, topic, true);
    writeOut(page);
    return Done;
}

void addHelp(CLI::App& app, int& exitCode)
{
    CLI::App* command
        = app.add_subcommand("help", "Print the commands, the options of one, or what a finding means");
    const auto topic = std::make_shared<std::string>();
    command->add_option("topic", *topic, "A command, or a finding's name as findings prints it in brackets")
        ->type_name("TOPIC");
    command->callback([&app, &exitCode, topic] { exitCode = printHelp(app, *topic); });
}

int printCompletions(const CLI::App& app, const std::string& shell)
{
    const std::vector<CommandFacts> commands = commandsOf(app);
    writeOut(shell == "bash" ? bashCompletions(commands)
            : shell == "zsh" ? zshCompletions(commands)
                             : fishCompletions(commands));
    return Done;
}

constexpr const char* kCompletionsFooter
    = "bash: highwater completions bash > ~/.local/share/bash-completion/completions/highwater\n"
      "zsh:  highwater completions zsh > FOLDER/_highwater, with a FOLDER of $fpath\n"
      "fish: highwater completions fish > ~/.config/fish/completions/highwater.fish";

void addCompletions(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand("completions", "Print a completion script for bash, zsh or fish");
    const auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "Shell")
        ->required()
        ->type_name("SHELL")
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->footer(kCompletionsFooter);
    command->callback([&app, &exitCode, shell] { exitCode = printCompletions(app, *shell); });
}

struct ManOptions
{
    std::string command;
    std::string out;
    bool force = false;
};

void writePage(const ManPage& page, const ManOptions& options)
{
    const std::string path = (std::filesystem::path(options.out) / page.fileName).string();
    OutputFile file = OutputFile::need(path, options.force, {});
    file.write(page.text);
    need(path, file.commit());
}

int printMan(const CLI::App& app, const ManOptions& options)
{
    const std::vector<CommandFacts> commands = commandsOf(app);
    std::vector<ManPage> pages;
    if (options.command.empty())
        pages.push_back(manPage(factsOf(app), commands));
    for (const CommandFacts& command : commands)
        if (command.name == options.command || (options.command.empty() && !options.out.empty()))
            pages.push_back(manPage(command));
    if (pages.empty())
        refuseTopic(app, options.command, false);
    if (!options.out.empty()) {
        std::error_code error;
        std::filesystem::create_directories(options.out, error);
        if (error)
            throw Refusal{options.out, {ErrorCode::CannotRead, "cannot be created: " + error.message(), {}}};
    }
    for (const ManPage& page : pages)
        if (options.out.empty())
            writeOut(page.text);
        else
            writePage(page, options);
    return Done;
}

void addMan(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand("man", "Print a manual page, as roff");
    const auto options = std::make_shared<ManOptions>();
    command->add_option("command", options->command, "Command (default: the program)")->type_name("COMMAND");
    command
        ->add_option("-o,--out", options->out,
            "Folder to write the page to; without COMMAND, the pages of all commands")
        ->type_name("FOLDER");
    command->add_flag("--force", options->force, "Replace files that exist");
    command->footer("highwater man peaks | man -l -          reads a page\n"
                    "highwater man -o ~/.local/share/man/man1   installs all, for man highwater-peaks");
    command->callback([&app, &exitCode, options] { exitCode = printMan(app, *options); });
}

} // namespace

void addHelpCommands(CLI::App& app, int& exitCode)
{
    addHelp(app, exitCode);
    addCompletions(app, exitCode);
    addMan(app, exitCode);
}

} // namespace highwater::cli
