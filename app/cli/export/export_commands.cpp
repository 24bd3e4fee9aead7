#include "app/cli/export/export_commands.h"

#include "app/cli/export/export_kinds.h"
#include "app/cli/export/export_options.h"
#include "app/cli/input/arguments.h"
#include "app/cli/input/command_options.h"
#include "app/cli/input/kind_options.h"

namespace highwater::cli {

void addExport(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(
        app, exitCode, "export", runExport, "Export tables and series of a file, for other programs");
    addCommonOptions(command, options.common, true);
    addRank(command, options.common);
    addOption(command, "--what", options.what, "WHAT", sentencesOf(exportKinds()))
        ->required()
        ->check(oneOf(namesOf(exportKinds())));
    addDevice(command, options.device);
    addOption(command, "--filter", options.filter, "TEXT",
        "allocations: only those that match, as in the window's search: words, /regular expression/, "
        "size>=64MiB, life>100, pool:nccl, category:activation");
    addRules(command, options.rules);
    command.add_flag("--no-stacks", options.noStacks, "events, allocations, tables: leave the stacks out");
    addMoment(command, "--at", options.at,
        "stacks: right after this event, or time since the first, such as 1.28s (default: the peak)");
    addOption(
        command, "--range", options.range, "A:B", "columns: events A to B, B not included (default: all)");
    addOption(command, "--width", options.width, "N", "columns: number of columns")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command.add_option("--mode", options.mode, "columns: what a band is")
        ->check(
            CLI::IsMember({"allocations", "category", "site", "size", "stream", "pool", "step", "module"}))
        ->capture_default_str();
    addAuxiliaryFiles(command, options.auxiliaryFiles);
    command.add_flag("--activities", options.common.activities,
        "trace: also kernels, copies and runtime calls, where the file has them");
    addOutputOptions(command, options.out, options.force);
    command.footer("The ending of OUT sets the format: .csv or .json, for stacks also .txt, for tables "
                   ".sqlite. Standard output gets CSV (stacks: folded lines), or JSON with --json. For "
                   "several files, OUT is a folder.");
}

} // namespace highwater::cli
