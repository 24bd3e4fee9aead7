#pragma once

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

/// `figure`, whose kinds and groups are those of `figureKinds`. The exit code goes into `exitCode`.
void addFigure(CLI::App& app, int& exitCode);

} // namespace highwater::cli
