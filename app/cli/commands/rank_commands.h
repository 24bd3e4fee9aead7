#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/cli/input/inputs.h"

namespace CLI {
class App;
} // namespace CLI

namespace highwater::cli {

struct SummarizeOptions
{
    CommonOptions common; ///< one file
    std::optional<std::string> device;
    std::string identity; ///< "rank=3,pp=1" overrides what path and content show; may be empty
    std::string rules; ///< path of the user's category rules; may be empty
    std::string out;
    bool force = false;
};

/// Runs `highwater summarize`, which writes the part of a recording that `ranks` needs.
int runSummarize(const SummarizeOptions& options);

struct RanksOptions
{
    CommonOptions common; ///< files, folders, @lists
    std::size_t top = 20;
    bool steps = false; ///< add the map of ranks and steps to the JSON
    std::string out; ///< path for the map as SVG; may be empty
    bool force = false;
    std::string size = "1200x675";
    bool dark = false;
};

/// Runs `highwater ranks`, which merges the ranks of a run.
int runRanks(const RanksOptions& options);

/// Adds `summarize` and `ranks`; `exitCode` is set by the one that runs.
void addRankCommands(CLI::App& app, int& exitCode);

} // namespace highwater::cli
