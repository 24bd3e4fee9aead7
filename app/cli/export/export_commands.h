#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// `export`, whose kinds are those of `exportKinds`. The exit code goes into `exitCode`.
void addExport(CLI::App& app, int& exitCode);

} // namespace highwater::cli
