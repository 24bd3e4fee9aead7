#include "app/cli/command_line.h"

#include <algorithm>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <malloc.h>
#include <unistd.h>

#include "app/cli/commands/commands.h"
#include "app/cli/commands/help_commands.h"
#include "app/cli/commands/output_commands.h"
#include "app/cli/commands/rank_commands.h"
#include "app/cli/console/output.h"
#include "app/cli/console/refusal.h"
#include "app/cli/console/terminal.h"
#include "app/cli/input/arguments.h"
#include "app/cli/input/command_options.h"
#include "app/cli/parser/help_text.h"
#include "app/cli/parser/parser_facts.h"
#include "app/cli/parser/usage_error.h"
#include "core/base/interruption.h"
#include "core/base/memory_limit.h"
#include "core/base/text_format.h"
#include "core/base/version.h"

namespace highwater::cli {

namespace {

void addInfo(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "info", runInfo,
        "What is in each file: GPUs, peaks, reserved memory, out-of-memory events");
    addCommonOptions(command, options.common, true);
    command.add_flag("--hash", options.hash, "Also compute the SHA-256 of each file");
    command.add_flag("--all", options.all,
        "Print every series, message and setting of logs (default: series of memory, and the first messages "
        "and settings)");
    command.footer(
        "Opened by content, plain, gzip or zstd: PyTorch memory snapshots (also as JSON or HTML), Kineto "
        "traces, memory timelines of torch.profiler, Nsight Systems exports (.sqlite), CUPTI memory "
        "records, logs of trainers, TensorBoard and W&B files, nvidia-smi tables, Highwater's .hwt and "
        ".hws.\nhighwater record prints how to record a run.");
}

void addPeaks(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "peaks", runPeaks,
        "What was in use at the peak, or at any other event, in groups that add up");
    addCommonOptions(command, options.common, true);
    addRank(command, options.common);
    addDevice(command, options.device);
    addMoment(command, "--at", options.at,
        "After this event (-1: before the first), or this time since the first, such as 1.28s (default: the "
        "peak)");
    addOption(command, "--step", options.step, "N", "At the peak of this step, counted from 0")
        ->excludes("--at");
    command
        .add_option("--step-source", options.stepSource, "How steps are detected (default: best available)")
        ->check(CLI::IsMember(
            {"profiler-step", "optimizer-annotation", "nvtx", "frames", "periodicity", "whole"}));
    addOption(command, "--step-pattern", options.stepPattern, "REGEX",
        "A step begins with each annotation that matches this regular expression");
    command
        .add_option("--quantity", options.quantity,
            "Bytes that totals count. requested: the sizes of the tensors; allocated: rounded up to the "
            "allocator's blocks, which is inferred for freed blocks of a snapshot (default: what the file "
            "records)")
        ->check(CLI::IsMember({"requested", "allocated"}));
    command
        .add_option("--group", options.group,
            "What to group by; user-site is the line of your own code, with the library call in brackets "
            "(default: user-site; with --json stack)")
        ->check(CLI::IsMember({"user-site", "stack", "site", "function", "file", "module", "category", "size",
            "stream", "pool", "allocation"}));
    command.add_flag("--steps", options.steps, "Also print the steps, each with its peak");
    command.add_flag(
        "--micro-steps", options.microSteps, "Also print the forward-backward pairs of each step");
    addOption(command, "--config", options.config, "RUN",
        "Configuration of the run, JSON or YAML, to name the shapes of tensors");
    addRules(command, options.rules);
    addTopOption(command, options.top, "Number of groups to print, the rest as one sum; 0 prints all");
}

void addSegments(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "segments", runSegments,
        "Segments and free blocks of the allocator; at an out-of-memory event, why the request failed");
    addCommonOptions(command, options.common, true);
    addRank(command, options.common);
    addDevice(command, options.device);
    addMoment(command, "--at", options.at,
        "After this event (-1: before the first), or this time since the first, such as 1.28s (default: the "
        "last out-of-memory event, else the peak; with --address the end)");
    addOption(command, "--address", options.address, "ADDRESS",
        "Print instead every allocation that contained this address, such as 0x7f3a00001400, over time, with "
        "its stack");
    addTopOption(command, options.top,
        "Number of free blocks, of held segments, or of allocations at the address to print; 0 prints all");
}

constexpr const char* kWhatIfFooter
    = "Replays the run's requests through PyTorch's caching allocator. The second line says how exact "
      "the replay of the recorded settings is. Without --set and --remove-site, some settings are tried, and "
      "those that help are shown: a failed request fits, or the reserved peak falls by more than 2%. If "
      "the replay is off by more than 2%, no setting is advised. If a setting "
      "would only postpone the failure to later in the step, `highwater findings` does not advise it.\n"
      "\n"
      "Settings, named as in PYTORCH_CUDA_ALLOC_CONF:\n"
      "  expandable_segments=true|false\n"
      "  max_split_size_mb=N              20 or more, or unlimited\n"
      "  roundup_power2_divisions=N       a power of two, 0 for none, or a list: [256:1,512:2,>:8]\n"
      "                                   (before PyTorch 2.10, \">\" also covered the entry before it)\n"
      "  garbage_collection_threshold=X   0 to 1; needs per_process_memory_fraction, as in PyTorch\n"
      "  per_process_memory_fraction=X    0 to 1; what set_per_process_memory_fraction allows\n"
      "  large_segment_size_mb=N          above 10 (PyTorch 2.11 and later)\n"
      "  expandable_segments_reserve=X    a share of the GPU, or GiB: 40G (PyTorch 2.15 and later)\n"
      "  throw_on_cudamalloc_oom=true     what does not fit fails without emptying the cache\n"
      "  max_non_split_rounding_mb=N      20 or more\n"
      "\n"
      "Memory that was allocated before the first event stays where the run had it.";

void addWhatIf(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "what-if", runWhatIf,
        "Memory reserved with other allocator settings, or without some allocations");
    addCommonOptions(command, options.common, true);
    addRank(command, options.common);
    addDevice(command, options.device);
    addRepeatable(
        command, "--set", options.settings, "NAME=VALUE", "Change a setting of the allocator; repeatable");
    addRepeatable(command, "--remove-site", options.removedSites, "TEXT",
        "Leave out allocations whose call site contains this text; repeatable");
    command.footer(kWhatIfFooter);
}

void addDiff(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "diff", runDiff,
        "What changed between two runs, to the byte; with three or more files, one row per run");
    addCommonOptions(command, options.common, true);
    addRank(command, options.common);
    addOption(command, "--device-before", options.beforeDevice, "N",
        "GPU of the earlier run (default: the one with the largest peak)");
    addOption(command, "--device-after", options.afterDevice, "N", "GPU of the later run");
    addMoment(command, "--at-before", options.atBefore,
        "Right after this event of the earlier run, or time since its first, such as 1.28s (default: its "
        "peak)");
    addMoment(command, "--at-after", options.atAfter,
        "Right after this event of the later run, or time since its first (default: its peak)");
    addOption(
        command, "--step-before", options.beforeStep, "N", "At the peak of this step of the earlier run")
        ->excludes("--at-before");
    addOption(command, "--step-after", options.afterStep, "N", "At the peak of this step of the later run")
        ->excludes("--at-after");
    addOption(command, "--align", options.align, "HOW",
        "How to find the same moment in the other run, if you choose one in only one run")
        ->check(CLI::IsMember({"step", "phase", "time", "event"}));
    command
        .add_option("--group", options.group,
            "What a row is; code is matched even if lines moved or files were renamed (default: site; with "
            "--json stack)")
        ->check(CLI::IsMember(
            {"stack", "site", "function", "file", "module", "category", "size", "stream", "pool"}));
    addOption(command, "--config-before", options.beforeConfig, "FILE",
        "Configuration of the earlier run, JSON or YAML, for the settings that differ");
    addOption(command, "--config-after", options.afterConfig, "FILE", "Configuration of the later run");
    addRules(command, options.rules);
    addTopOption(command, options.top, "Number of rows to print, the rest as one sum; 0 prints all");
    addOption(command, "--sort", options.sort, "ORDER",
        "With three or more files: order of the runs (delta: against the first file)")
        ->check(CLI::IsMember({"given", "peak", "name", "reserved", "delta"}))
        ->capture_default_str();
}

void addConvert(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "convert", runConvert,
        "Convert to the compact .hwt format, which opens faster and gives the same answers");
    addCommonOptions(command, options.common, true);
    addOutputOptions(command, options.out, options.force);
}

void addBench(CLI::App& app, int& exitCode)
{
    const auto [command, options]
        = addCommand(app, exitCode, "bench", runBench, "Time each stage of opening and drawing a file");
    addCommonOptions(command, options, false);
}

/// Returns the arguments after the program's name. If the first one is an existing path and no command, puts
/// `findings` before it.
std::vector<std::string> argumentsOf(const CLI::App& app, int argc, char** argv)
{
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const std::vector<std::string> commands = commandNames(app);
    const bool isFile = !arguments.empty() && ::access(arguments[0].c_str(), F_OK) == 0;
    if (isFile && std::ranges::count(commands, arguments[0]) == 0)
        arguments.insert(arguments.begin(), "findings");
    return arguments;
}

int runCommands(int argc, char** argv)
{
    CLI::App app{"Shows where a GPU training run's memory went.", "highwater"};
    app.set_version_flag("-V,--version", std::string("highwater ") + programVersion());
    app.require_subcommand(1);
    app.set_help_flag("-h,--help", "Print the whole help");
    app.formatter(std::make_shared<HelpText>(asksForShortHelp(argc, argv)));
    int exitCode = Done;
    addInfo(app, exitCode);
    addPeaks(app, exitCode);
    addSegments(app, exitCode);
    addWhatIf(app, exitCode);
    addDiff(app, exitCode);
    addOutputCommands(app, exitCode);
    addRankCommands(app, exitCode);
    addConvert(app, exitCode);
    addBench(app, exitCode);
    addHelpCommands(app, exitCode);
    const std::vector<std::string> arguments = argumentsOf(app, argc, argv);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::Success& success) {
        std::ostringstream help;
        exitCode = app.exit(success, help, help);
        writeOut(help.str());
    } catch (const CLI::ParseError& error) {
        printErr("highwater: {}\n", usageErrorText(app, error, argc, argv));
        return WrongUsage;
    }
    return exitCode;
}

/// Returns "FILE: " for the first existing path after the command, for errors that no command reports itself;
/// empty if there is none.
std::string filePrefix(int argc, char** argv)
{
    for (int i = 2; i < argc; ++i)
        if (::access(argv[i], F_OK) == 0)
            return sanitizedText(argv[i]) + ": ";
    return "";
}

/// Makes glibc return large freed blocks to the system at once. By default, glibc raises its threshold each
/// time a large block is freed, so a dropped table would take memory until the program ends.
void returnLargeFreedBlocks()
{
    constexpr int kLargeBlock = 1024 * 1024;
    constexpr int kKeptAtTop = 8 * kLargeBlock; // returning smaller amounts would cost too much time
    ::mallopt(M_MMAP_THRESHOLD, kLargeBlock);
    ::mallopt(M_TRIM_THRESHOLD, kKeptAtTop);
}

/// Runs the command and reports an error that it has not handled in one sentence.
int runGuarded(int argc, char** argv)
{
    const std::string subject = filePrefix(argc, argv);
    try {
        const InterruptibleScope scope(interruptToken());
        const MemoryLimitScope limited; // closed when an error is printed
        setMemoryLimit(defaultMemoryLimit());
        return runCommands(argc, argv);
    } catch (const Refusal& refusal) {
        printError(refusal.subject, refusal.error);
        return refusal.exitCode;
    } catch (const WorkCancelled&) {
        printErr("highwater: {}cancelled\n", subject);
        return Interrupted;
    } catch (const std::bad_alloc&) {
        printErr("highwater: {}{}\n", subject, outOfMemoryText());
    } catch (const std::exception& error) {
        printErr("highwater: {}cannot be done: {}\n", subject, sanitizedText(error.what()));
    }
    return CannotRead;
}

} // namespace

int runCommandLine(int argc, char** argv)
{
    returnLargeFreedBlocks();
    reserveStandardStreams();
    const int exitCode = runGuarded(argc, argv);
    const Result<void> printed = finishOutput();
    if (printed || exitCode == Interrupted)
        return exitCode;
    printError("standard output", printed.error());
    return worse(exitCode, CannotRead);
}

} // namespace highwater::cli
