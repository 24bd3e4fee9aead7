#include "app/cli/commands/rank_commands.h"

#include "app/cli/input/arguments.h"
#include "app/cli/input/command_options.h"

namespace highwater::cli {

namespace {

constexpr const char* kSummarizeFooter
    = "A summary (.hws, at most 200 KB) has the curve by category, the figures of every step, memory in use "
      "at the peak by call site and stack, failures, findings and settings. The window and every command "
      "that needs no more open a summary; the summary lists what it lacks. The rank is taken from the "
      "content, else from the file's name, else from its folders; --identity overrides all of them.\nExit "
      "code: 4 where the recording ends early; the summary is written and mentions it.";

constexpr const char* kRanksFooter
    = "Files are summaries and recordings, in any mixture. Folders are read with their subfolders; @LIST "
      "names a file with one path per line. Ranks of one pipeline stage are compared with each other.\nExit "
      "code: 3 if a file cannot be read, 4 if a recording ends early; the other files are merged.";

void addSummarize(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "summarize", runSummarize,
        "Summarize a recording in a small file for ranks, on the node that made it");
    addCommonOptions(command, options.common, false);
    addDevice(command, options.device);
    addOption(command, "--identity", options.identity, "NAME=N,…",
        "Which rank FILE is: rank=3,tp=1,pp=0,dp=2,ep=0,step=20,host=NAME (default: from content and path)");
    addRules(command, options.rules);
    addOutputOptions(command, options.out, options.force);
    command.footer(kSummarizeFooter);
}

void addRanks(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "ranks", runRanks,
        "Merge the ranks of a run: which peaks, leaks or fails first, and what is missing");
    addCommonOptions(command, options.common, true);
    addTopOption(command, options.top,
        "Ranks to print, those that ran out of memory first, then the highest peaks; 0: all");
    command.add_flag(
        "--steps", options.steps, "With --json, also print the largest total of each rank in each step");
    addOption(command, "-o,--out", options.out, "OUT.svg", "Draw the map of ranks and steps as SVG");
    command.add_flag("--force", options.force, "Replace OUT.svg if it exists");
    addOption(command, "--size", options.size, "WxH", "Size of the map in pixels")->capture_default_str();
    command.add_flag("--dark", options.dark, "Draw the map for a dark background");
    command.footer(kRanksFooter);
}

} // namespace

void addRankCommands(CLI::App& app, int& exitCode)
{
    addSummarize(app, exitCode);
    addRanks(app, exitCode);
}

} // namespace highwater::cli
