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
    std::string identity; ///< "rank=3,pp=1"; empty: as path and content tell
    std::string rules; ///< path of the user's category rules; empty: none
    std::string out;
    bool force = false;
};

/// `highwater summarize`: writes what `ranks` needs of a recording.
int runSummarize(const SummarizeOptions& options);

struct RanksOptions
{
    CommonOptions common; ///< files, folders, @lists
    std::size_t top = 20;
    bool steps = false; ///< the map rank × step in JSON
    std::string out; ///< of the map as SVG; empty: none
    bool force = false;
    std::string size = "1200x675";
    bool dark = false;
};

/// `highwater ranks`: merges the ranks of a run.
int runRanks(const RanksOptions& options);

/// Adds both.
void addRankCommands(CLI::App& app, int& exitCode);

} // namespace highwater::cli
