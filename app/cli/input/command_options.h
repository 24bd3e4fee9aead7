#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace highwater::cli {

/// A command and its options, which live as long as the program's parser.
template <typename Options>
struct Command
{
    CLI::App& command;
    Options& options;
};

/// Adds a command; running it sets `exitCode` to the result of `run`.
template <typename Options>
Command<Options> addCommand(
    CLI::App& app, int& exitCode, const char* name, int (*run)(const Options&), const std::string& help)
{
    CLI::App* command = app.add_subcommand(name, help);
    const auto options = std::make_shared<Options>();
    command->callback([options, run, &exitCode] { exitCode = run(*options); });
    return {*command, *options};
}

/// Adds an option; `valueName` names its value in the help.
template <typename Value>
CLI::Option* addOption(
    CLI::App& command, const std::string& name, Value& target, const char* valueName, const std::string& help)
{
    return command.add_option(name, target, help)->type_name(valueName);
}

/// Adds an option that takes one value each time it is given, also right before `--`. CLI11's lists take
/// values up to `--` and drop it, so the options of a command after it would be taken for those of the
/// program.
inline CLI::Option* addRepeatable(CLI::App& command, const std::string& name,
    std::vector<std::string>& target, const char* valueName, const std::string& help)
{
    return addOption(command, name, target, valueName, help)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
}

} // namespace highwater::cli
