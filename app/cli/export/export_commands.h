#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// Adds `export`, with the kinds of `exportKinds`. `exitCode` is set when the command runs.
void addExport(CLI::App& app, int& exitCode);

} // namespace highwater::cli
