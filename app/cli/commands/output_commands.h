#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// Adds findings, export, cut, check, figure, report, budget, record, rehearse, mcp and open; `exitCode` is
/// set by the one that runs.
void addOutputCommands(CLI::App& app, int& exitCode);

} // namespace highwater::cli
