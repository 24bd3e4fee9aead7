#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// Adds the commands about the command line itself: help, completions and man. They also describe commands
/// that are added later. `exitCode` is set by the one that runs.
void addHelpCommands(CLI::App& app, int& exitCode);

} // namespace highwater::cli
