#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// Adds `figure`, with the kinds and groups of `figureKinds`. `exitCode` is set when the command runs.
void addFigure(CLI::App& app, int& exitCode);

} // namespace highwater::cli
