#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// Adds the commands whose result is a file, a verdict, a budget or a window; `exitCode` is set by the one
/// that runs.
void addOutputCommands(CLI::App& app, int& exitCode);

} // namespace highwater::cli
