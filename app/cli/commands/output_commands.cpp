#include "app/cli/commands/output_commands.h"

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/commands/figure_commands.h"
#include "app/cli/export/export_commands.h"
#include "app/cli/input/arguments.h"
#include "app/cli/input/command_options.h"
#include "app/loading/recording_recipes.h"
#include "app/rehearse/address_order.h"
#include "app/rehearse/changes.h"

namespace highwater::cli {

namespace {

/// Returns the problem with the text; empty if it is valid.
std::string problemOfAddresses(const std::string& text)
{
    const auto order = rehearse::addressOrderFrom(text);
    return order ? std::string() : order.error().message;
}

constexpr const char* kCheckFooter
    = "Growth per step is the median slope of the bytes at the end of each step (Theil-Sen), not "
      "counting the first two steps, events before the first marker, and a last step that is cut off. A "
      "growth limit that "
      "cannot be judged (no steps, or fewer than three after the first two) counts as exceeded.\n\nA run "
      "that failed is named, but only limits decide the exit code:\n"
      "  0  within all limits\n"
      "  1  a limit is exceeded\n"
      "  2  wrong usage\n"
      "  3  a file cannot be read\n"
      "  4  a file is incomplete";

constexpr const char* kRehearseFooter
    = "PyTorch runs as installed (its CUDA build, without a GPU). Allocator, streams and call stacks are "
      "real; kernels do nothing, and values read back from the GPU are 0. Stand-ins replace CUDA's libraries "
      "for this one program. Not affiliated with NVIDIA; names of GPUs are labels.\nIf a script catches an "
      "out-of-memory error and goes on, only what follows the last such error is judged.\n\nExit code:\n"
      "  0  fits\n"
      "  1  does not fit, or too close to tell\n"
      "  2  wrong usage, no suitable PyTorch, or a real GPU\n"
      "  3  the command failed, stopped before its first step ended, or recorded nothing\n"
      "  4  undecided: a value read from the GPU may have changed a size (with --once: not tested),\n"
      "     or part of the run was not simulated";

constexpr const char* kRecordFooter
    = "Every rank writes its own snapshots into memory/: when memory runs out, when an exception ends the "
      "run, on SIGUSR2, after the steps that you choose, and at the end. Lines of the model in code that "
      "torch.compile generated are recorded if Python starts with TORCH_ENRICH_RPOFILER_STACK_TRACE=1 "
      "(the spelling is PyTorch's). Leave "
      "throw_on_cudamalloc_oom off: a request that this option refuses leaves no event. Without the package "
      "highwater-gpu, use the recorder as a file:\n  highwater record --standalone > record_memory.py";

constexpr const char* kBudgetFooter
    = "RUN may have these keys. Lines of the budget that lack one are listed and not counted.\n"
      "  parameters (a count), or model (path of a config.json, relative to RUN)\n"
      "  vocab, hidden, layers, heads, kv_heads, head_dim, intermediate, family (gpt2|llama|t5)\n"
      "  batch, group, seq_len, accumulation\n"
      "  dtype, master_weights, trainable_share or lora_rank, optimizer, optimizer_dtype\n"
      "  checkpointing (none|selective|full), attention (flash|eager|math), activation_function, use_cache\n"
      "  activations_dtype, activations_bytes, logits_dtype, logits_copies, kv_cache_tokens\n"
      "  copies [{role: policy|reference|critic|reward|engine, dtype, trainable, parameters}]\n"
      "  sharding {kind: none|ddp|zero1|zero2|zero3|fsdp, world, offload (none|optimizer|all)}\n"
      "  largest_layer, outside_bytes, gpu\n"
      "  stated {LINE or total: \"0.64 GB\"}: figures from elsewhere to compare\n"
      "Dtypes: fp32, fp16, bf16, fp8, int8, nf4.\n"
      "With --what-if, accumulation adapts so that the effective batch stays the same. With --what-if and "
      "FILE, activations are scaled from the observed ones.";

constexpr const char* kReportFooter
    = "OUT ends in .html (one self-contained page), .md (with its figures as SVG in the folder OUT-figures "
      "next to it) or .json; -o - with --json prints JSON.\n\nAll files are of one run. Of several ranks, "
      "the first to run out of memory is shown, else the highest peak; logs and Nsight Systems exports are "
      "added.\n\nSections, in any order: summary, comparison (What changed), timeline, notes, findings, peak "
      "(In "
      "use at the peak), ranks, steps, budget (Expected and observed), messages (Out-of-memory messages), "
      "facts "
      "(Facts and settings), provenance (Sources). Empty sections are omitted.\n\nExit code:\n"
      "  0  done\n"
      "  2  wrong usage\n"
      "  3  a file cannot be read (the report is written if the main file can)\n"
      "  4  a file ends early (the report mentions it)";

void addFindings(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(
        app, exitCode, "findings", runFindings, "What is wrong, what to do, and what that saves in this run");
    addCommonOptions(command, options.common, true);
    addRank(command, options.common);
    addDevice(command, options.device);
    addOption(command, "--config", options.config, "RUN",
        "Configuration of the run, JSON or YAML; vocabulary, batch and length identify the logits");
    addOption(command, "--gpu", options.gpu, "GPU",
        "Also say if the run, and the run with each fix, fits this GPU or size, such as L4, \"24 GB\" or "
        "24GiB");
    addRules(command, options.rules);
    addRepeatable(command, "--only", options.only, "RULE",
        "Only these findings: faults, facts, leak, oom, or names such as growth; separate them with commas, "
        "or repeat the option")
        ->delimiter(',');
    command
        .add_flag("--brief", options.brief, "One line per finding: bytes concerned, grade, title and name")
        ->excludes(command.add_flag(
            "--verbose", options.verbose, "All evidence, and what would make a finding wrong"));
    command.add_flag("--sarif", options.sarif, "Print SARIF 2.1.0, for tools that show findings beside code")
        ->excludes("--json", "--brief", "--verbose");
    command.footer(
        "All files are of one run: snapshots or traces, with its logs and Nsight Systems exports.\n"
        "Grades: a \"certain\" finding follows from the data, a \"likely\" one is strongly inferred, and a "
        "\"guess\" has to be checked.\n"
        "The finding of the headline comes first. Faults follow: those that save most first, then guesses, "
        "then findings that another one explains. Facts come last, in the same order.\n"
        "highwater help FINDING explains one, such as growth: what it means, how it can be wrong, what to "
        "do.");
}

void addCut(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "cut", runCut,
        "Cut part of a snapshot into a smaller snapshot; PyTorch's viewer opens it, too");
    addCommonOptions(command, options.common, false);
    addDevice(command, options.device);
    CLI::Option* const steps = addOption(command, "--steps", options.steps, "A:B",
        "Steps A to B, B not included, as peaks numbers them; or one step");
    CLI::Option* const events
        = addOption(command, "--events", options.events, "A:B", "Events A to B, B not included");
    CLI::Option* const time = addOption(command, "--time", options.time, "A:B",
        "What happened from A to B, in seconds since the first event; of all devices");
    steps->excludes(events)->excludes(time);
    events->excludes(time);
    command.add_flag("--strip-paths", options.stripPaths, "Remove user names and folders from all texts");
    addOutputOptions(command, options.out, options.force);
    command.footer("Without a range, the whole file is written without repetitions. Memory that was "
                   "allocated before the range and is still live is kept as a block. Live bytes are the "
                   "same after every event that is kept.");
}

void addCheck(CLI::App& app, int& exitCode)
{
    const Command<CheckOptions> added = addCommand(app, exitCode, "check", runCheck,
        "Check files against memory limits, for CI: exit code 1 if one is exceeded");
    CLI::App& command = added.command;
    CheckOptions& options = added.options;
    addCommonOptions(command, options.common, true);
    addOption(command, "--device", options.device, "N|all",
        "Device, such as 0, cuda:0 or host, or all of them (default: the one with the largest peak)");
    addLimit(command, "--max-peak", options.maxPeak,
        "Largest peak allowed; info prints which bytes the file counts (requested, in most snapshots)");
    addLimit(command, "--max-reserved", options.maxReserved, "Most memory that the allocator may reserve");
    addLimit(command, "--max-growth-per-step", options.maxGrowthPerStep,
        "Largest growth per step allowed (see below)");
    addOption(command, "--baseline", options.baseline, "FILE",
        "Run whose peak the files are compared with; needs --max-peak-increase");
    command
        .add_option_function<std::string>(
            "--max-peak-increase",
            [&options](const std::string& text) {
                options.maxPeakIncreasePercent = percentFromText(text);
                if (!options.maxPeakIncreasePercent)
                    throw CLI::ValidationError(
                        "--max-peak-increase", sanitizedText(text) + " is not a percentage, such as 5%");
            },
            "How much higher a peak may be than the baseline's")
        ->type_name("N%");
    command.footer(kCheckFooter);
}

void addReport(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "report", runReport,
        "Write a stand-alone report of one run, or of two, before and after");
    addCommonOptions(command, options.common, true);
    command.get_option("files")->required(false);
    addOption(command, "--before", options.before, "FILE",
        "Files or folders of the earlier run; FILE is the later run");
    addRank(command, options.common);
    addDevice(command, options.device);
    command
        .add_option("--template", options.kind,
            "incident: the cause, its effect and the next step; before-after: whether the fix worked; "
            "pull-request: half a page (default: incident; for two runs before-after)")
        ->check(CLI::IsMember({"incident", "before-after", "pull-request"})
                    .description("incident|before-after|pull-request"));
    addOption(command, "--sections", options.sections, "LIST",
        "Sections and their order, such as summary,findings,notes")
        ->delimiter(',')
        ->allow_extra_args(false);
    addOption(command, "--title", options.title, "TEXT", "Title (default: made of the files' names)");
    addOption(command, "--notes", options.notes, "FILE", "JSON file with your notes on the runs");
    addOption(command, "--workspace", options.workspace, "FILE",
        "Workspace: its notes, rules and report settings, and its files and configuration where no FILE is "
        "given; other options override it");
    command.add_flag("--full", options.isFull,
        "Include everything that is known, with an appendix, not only a few pages (JSON always does)");
    command.add_flag(
        "--static", options.isStatic, "HTML: the timeline as a picture only, without the data for zooming");
    command.add_flag(
        "--full-paths", options.keepsHomes, "Keep the paths of home folders, which are ~ otherwise");
    command.add_flag("--strip-paths", options.stripPaths, "Remove user names and folders from all texts");
    addOption(command, "--config", options.config, "RUN",
        "Configuration of the run, JSON or YAML: the expected budget, the GPU, and settings; of both runs "
        "where --config-before is not given");
    addOption(command, "--config-before", options.beforeConfig, "RUN", "Configuration of the earlier run");
    addRules(command, options.rules);
    addOutputOptions(command, options.out, options.force);
    command.footer(kReportFooter);
}

void addBudget(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "budget", runBudget,
        "Memory that a configuration needs, compared with a recording, and which GPUs the run fits");
    addCommonOptions(command, options.common, false);
    command.get_option("file")->required(false);
    addOption(command, "--config", options.config, "RUN",
        "The run's configuration as JSON or YAML (see below); without it, FILE is compared with GPUs alone");
    addRank(command, options.common);
    addDevice(command, options.device);
    addOption(command, "--gpu", options.gpuNames, "GPU",
        "GPUs, such as T4, \"A100 80\" or 24GiB (default: those of RUN, else the common ones)");
    addRepeatable(command, "--what-if", options.whatIf, "KEY=VALUES",
        "Other values of a setting, such as batch=1,2,4; repeated, every combination");
    addRules(command, options.rules);
    command.footer(kBudgetFooter);
}

/// Adds the options that rehearse the command several times to find something, and `--prices`.
void addSearches(CLI::App& command, RehearseOptions& options)
{
    addOption(command, "--find", options.find, "NAME=FROM:TO",
        "Find the largest number with which the command fits; it replaces {NAME} in the command. Example: "
        "--find batch=1:512");
    addRepeatable(command, "--try", options.tries, "CHANGES",
        fmt::format(
            "If the command does not fit: changes to rehearse, with commas between them: {}; or all, or none "
            "(default: each in turn until one is enough)",
            rehearse::changeNames()))
        ->delimiter(',')
        ->check(rehearse::problemOfChange);
    addOption(command, "--prices", options.prices, "FILE",
        "With several GPUs: file of prices, in lines such as \"L4, 0.71\", to name the cheapest GPU that the "
        "command fits");
}

void addRehearse(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "rehearse", runRehearse,
        "Run a training script on a simulated GPU, and say whether it fits");
    addOption(command, "command", options.command, "COMMAND",
        "Python and its arguments, or what starts Python, after --")
        ->required();
    addRepeatable(command, "--gpu", options.gpuNames, "GPU",
        "GPU to simulate: a name, such as L4 or \"A100 1g.10gb\" (MIG), or a size, such as 24GiB; "
        "several with commas between them, or all for the common ones, to see which of them the command fits")
        ->required()
        ->delimiter(',');
    addSearches(command, options);
    addOption(command, "--gpus", options.gpusPerProcess, "N", "GPUs that each process sees")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    addOption(command, "-o,--out", options.out, "SNAPSHOT",
        "Snapshot to write; with several ranks, _rank0 and so on before the ending")
        ->capture_default_str();
    addOption(command, "--max-steps", options.maxSteps, "N",
        "End the command after N optimizer steps (default: it ends by itself)")
        ->check(CLI::PositiveNumber);
    addOption(command, "--trace", options.trace, "TRACE", "Also write a trace of torch.profiler");
    addOption(command, "--labels", options.labels, "FILE",
        "Also write as JSON what each storage was: parameter, gradient, …");
    addOption(command, "--torch", options.torch, "VERSION",
        "PyTorch of the real run, such as 2.6 or 2.6.0+cu124, or a file that names it (log, requirements, "
        "lock file); if another version is installed, prints how to install this one");
    addOption(command, "--steering", options.steering, "FILE",
        "Python file with rules for values that the script reads from the GPU; they come before "
        "Highwater's own");
    command
        .add_option("--stacks", options.stacks,
            "Record the Python lines of each allocation; all adds the C++ functions below them, and is slow")
        ->check(CLI::IsMember({"python", "all"}))
        ->capture_default_str();
    command
        .add_option(
            "--history", options.history, "Record the whole run, or only what the script itself records")
        ->check(CLI::IsMember({"whole", "script"}))
        ->capture_default_str();
    addOption(command, "--kernel-time", options.kernelMicroseconds, "US",
        "Simulated duration of each kernel and copy in µs (default: they finish at once)")
        ->check(CLI::NonNegativeNumber);
    addOption(command, "--addresses", options.addresses, "ORDER",
        "Where the driver places memory: down (Linux), up (Windows), or the regions of a recording "
        "in the order in which they fill, such as 0x710000000-0x775200000,…")
        ->check(problemOfAddresses)
        ->capture_default_str();
    command.add_flag("--force", options.force, "Run even if there is a real GPU, and replace existing files");
    command.add_flag("--once", options.once,
        "Run the command once, without the second run that tests whether values read from the GPU matter");
    command.add_flag("--open", options.open, "Open the snapshot in the window afterwards");
    command.add_flag("--json", options.common.json,
        "Print the verdict as one JSON document; the command prints to standard error");
    command.add_flag("--quiet", options.common.quiet, "Show no progress");
    command.footer(kRehearseFooter);
}

void addMcp(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(
        app, exitCode, "mcp", runMcp, "Answer an agent's questions about files (Model Context Protocol)");
    addOption(command, "folders", options.common.files, "FOLDER",
        "Folders below which files may be read (default: the current one)");
    addMemoryLimits(command, options.common);
    command.footer("Nothing is written, and no other file is read. Configure an agent's program to start "
                   "it:\n{\"command\": \"highwater\", \"args\": [\"mcp\", \"FOLDER\"]}.");
}

void addRecord(CLI::App& app, int& exitCode)
{
    const auto [command, options] = addCommand(app, exitCode, "record", runRecord,
        "Print the lines that record memory snapshots in a training script");
    addOption(command, "--for", options.framework, "NAME", "What the script trains with")
        ->capture_default_str()
        ->check(CLI::IsMember(recordingFrameworks()));
    command.add_flag("--standalone", options.standAlone,
        "Print the recorder as one Python file, for where the package cannot be installed");
    command.add_flag("--json", options.json, "Print one JSON document");
    command.footer(kRecordFooter);
}

void addOpen(CLI::App& app, int& exitCode)
{
    const auto [command, options]
        = addCommand(app, exitCode, "open", runOpen, "Open files in the window (starts highwater-gui)");
    addOption(command, "files", options.files, "FILE", "Files to open")->required();
}

} // namespace

void addOutputCommands(CLI::App& app, int& exitCode)
{
    addFindings(app, exitCode);
    addExport(app, exitCode);
    addCut(app, exitCode);
    addCheck(app, exitCode);
    addFigure(app, exitCode);
    addReport(app, exitCode);
    addBudget(app, exitCode);
    addRecord(app, exitCode);
    addRehearse(app, exitCode);
    addMcp(app, exitCode);
    addOpen(app, exitCode);
}

} // namespace highwater::cli
