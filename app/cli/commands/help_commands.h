#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// Adds the commands about the command line itself: help, completions and man. They describe whatever the
/// parser knows when they run, so commands that are added later are described as well.
void addHelpCommands(CLI::App& app, int& exitCode);

} // namespace highwater::cli
