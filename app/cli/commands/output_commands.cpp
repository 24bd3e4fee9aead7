#include "app/cli/commands/output_commands.h"

#include <CLI/CLI.hpp>

#include "app/cli/input/arguments.h"
#include "app/rehearse/address_order.h"

namespace highwater::cli {

namespace {

constexpr const char* kExportWhat
    = "events: every event in order; allocations: one row each; curve: totals after each event; steps: each "
      "step's peak by category; stacks: live bytes as folded stacks, for flame graph programs; columns: what "
      "the timeline draws, column by column; trace: a chrome trace with counters and steps, for Perfetto";

constexpr const char* kCheckFooter
    = "Growth per step is the median slope of the bytes at the end of each step (Theil-Sen), without the "
      "first\n"
      "two steps, what stands before the first marker, and a last step that the trace cuts off. A growth "
      "limit\n"
      "that cannot be judged (no steps, or fewer than three) counts as broken.\n"
      "Exit code: 0 every limit holds, 1 one is broken, 2 wrong usage, 3 cannot be read, 4 incomplete.";

constexpr const char* kRehearseFooter
    = "PyTorch runs as it is installed (its CUDA build, without a GPU): allocator, streams and call stacks "
      "are\n"
      "the real ones, kernels do nothing, and values read back from the device are 0. Stand-ins take the "
      "place\n"
      "of CUDA's libraries for this one program. Not affiliated with NVIDIA; names of GPUs are labels.\n"
      "Exit code: 0 fits; 1 does not, or too close to tell; 2 wrong usage, or cannot be rehearsed here; 3 "
      "the\n"
      "command failed or recorded nothing; 4 incomplete: a value read back decided a size.";

constexpr const char* kBudgetFooter
    = "RUN holds any of: parameters (a count) or model (path of a config.json, relative to RUN); copies\n"
      "[{role: policy|reference|critic|reward|engine, dtype, trainable, parameters}]; dtype, optimizer,\n"
      "optimizer_dtype, master_weights, trainable_share or lora_rank; batch, group, seq_len, accumulation;\n"
      "vocab, hidden, layers, heads, kv_heads, head_dim, intermediate, family (gpt2|llama|t5);\n"
      "checkpointing, attention (flash|eager), activations_dtype, activations_bytes; logits_dtype,\n"
      "logits_copies; kv_cache_tokens; sharding {kind: none|ddp|zero1|zero2|zero3|fsdp, world, offload};\n"
      "largest_layer, outside_bytes, gpu; stated {LINE or total: \"0.64 GB\"}: figures to be checked.\n"
      "Dtypes: fp32, fp16, bf16, fp8, int8, nf4. What is not given is left out of the sum, and named.\n"
      "With --what-if the effective batch is kept: accumulation adapts. With FILE, activations are scaled\n"
      "by what was observed.";

constexpr const char* kReportFooter
    = "OUT ends in .html (one page that needs nothing else), .md (with its figures as SVG in the folder\n"
      "OUT-figures beside it) or .json; -o - with --json prints JSON.\n"
      "\n"
      "Files are of one run: of several snapshots or traces the one with the largest peak is shown, the\n"
      "others are its ranks; logs and Nsight Systems exports stand beside them.\n"
      "\n"
      "Sections, in any order: summary, comparison, timeline, notes, findings, peak, steps, budget,\n"
      "messages, facts, provenance. What there is nothing to say about is left out.\n"
      "\n"
      "Exit code: 0 done, 2 wrong usage, 3 a file cannot be read (the report is written if the main file\n"
      "can), 4 a file ends early (the report says so).";

} // namespace

void OutputCommands::add(CLI::App& app, int& exitCode)
{
    addFindings(app, exitCode);
    addExport(app, exitCode);
    addCheck(app, exitCode);
    addFigure(app, exitCode);
    addReport(app, exitCode);
    addBudget(app, exitCode);
    addRehearse(app, exitCode);
    addOpen(app, exitCode);
}

void OutputCommands::addFindings(CLI::App& app, int& exitCode)
{
    FindingsOptions& options = m_findings;
    CLI::App* command = app.add_subcommand(
        "findings", "What is wrong, in sentences: with evidence, what to do and what that saves in this run");
    addCommon(*command, options.common, true);
    addDevice(*command, options.device);
    command
        ->add_option("--config", options.config,
            "Configuration of the run, JSON or YAML: vocabulary, batch and length make logits known by name")
        ->type_name("RUN");
    addRules(*command, options.rules);
    command->footer(
        "Files are of one run: logs and Nsight Systems exports stand beside snapshots and traces.\n"
        "Grades: A decidable from the data, B strong inference, C a hint, to be read as a question.\n"
        "Sorted by grade, then by bytes.");
    command->callback([&options, &exitCode] { exitCode = runFindings(options); });
}

void OutputCommands::addExport(CLI::App& app, int& exitCode)
{
    ExportOptions& options = m_export;
    CLI::App* command
        = app.add_subcommand("export", "Write what is computed from a file, for other programs");
    addCommon(*command, options.common, false);
    command->add_option("--what", options.what, kExportWhat)
        ->required()
        ->type_name("WHAT")
        ->check(CLI::IsMember({"events", "allocations", "curve", "steps", "stacks", "columns", "trace"})
                    .description("events|allocations|curve|steps|stacks|columns|trace"));
    addDevice(*command, options.device);
    command
        ->add_option("--filter", options.filter,
            "allocations: only those that match, as in the window's search: words, /regular expression/, "
            "size>=64MiB, life>100")
        ->type_name("TEXT");
    addRules(*command, options.rules);
    command->add_flag("--no-stacks", options.noStacks, "events, allocations: leave the stacks out");
    command->add_option("--at", options.at, "stacks: right after this event (default: the peak)")
        ->type_name("EVENT");
    command->add_option("--range", options.range, "columns: events A to B, B not included (default: all)")
        ->type_name("A:B");
    command->add_option("--width", options.width, "columns: how many")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command->add_option("--mode", options.mode, "columns: what bands are put together by")
        ->check(CLI::IsMember({"allocations", "category", "site", "size", "stream", "pool"}))
        ->capture_default_str();
    addCompanions(*command, options.companions);
    command->add_flag("--activities", options.common.activities,
        "trace: also kernels, copies and runtime calls, where the file has them");
    addOut(*command, options.out, options.force);
    command->footer(
        "The ending of OUT says the form: .csv or .json, for stacks also .txt. Standard output gets CSV\n"
        "(stacks: folded lines), or JSON with --json.");
    command->callback([&options, &exitCode] { exitCode = runExport(options); });
}

void OutputCommands::addCheck(CLI::App& app, int& exitCode)
{
    CheckOptions& options = m_check;
    CLI::App* command = app.add_subcommand(
        "check", "Hold files against limits: a line for each that is broken, and exit code 1");
    addCommon(*command, options.common, true);
    command
        ->add_option("--device", options.device,
            "Device, as 0, cuda:0 or host, or all of them (default: the one with the largest peak)")
        ->type_name("N|all");
    addLimit(
        *command, "--max-peak", options.maxPeak, "The largest total that is allowed, in the file's quantity");
    addLimit(*command, "--max-reserved", options.maxReserved,
        "The most that the allocator may have reserved from the device");
    addLimit(*command, "--max-growth-per-step", options.maxGrowthPerStep,
        "The most that memory may grow from step to step (see below)");
    command->add_option("--baseline", options.baseline, "Another run, whose peak the files are held against")
        ->type_name("FILE");
    command
        ->add_option_function<std::string>(
            "--max-peak-increase",
            [&options](const std::string& text) {
                options.maxPeakIncreasePercent = percentFromText(text);
                if (!options.maxPeakIncreasePercent)
                    throw CLI::ValidationError("--max-peak-increase", "takes a number and %, as in 5%");
            },
            "How much higher than the baseline's a peak may be")
        ->type_name("N%");
    command->footer(kCheckFooter);
    command->callback([&options, &exitCode] { exitCode = runCheck(options); });
}

void OutputCommands::addFigure(CLI::App& app, int& exitCode)
{
    FigureCommandOptions& options = m_figure;
    CLI::App* command = app.add_subcommand("figure", "Draw a figure for a report, as SVG");
    addCommon(*command, options.common, true);
    command
        ->add_option("--kind", options.kind,
            "timeline: live bytes over events; steps: each step's peak, of two files side by side; "
            "composition: what was live at a moment; segments: the allocator's address map; waterfall: FILE "
            "AFTER, from the one peak to the other; diff: FILE AFTER, both totals over each other")
        ->required()
        ->type_name("KIND")
        ->check(CLI::IsMember({"timeline", "steps", "composition", "segments", "diff", "waterfall"})
                    .description("timeline|steps|composition|segments|diff|waterfall"));
    addDevice(*command, options.device);
    addRules(*command, options.rules);
    command->add_option("--range", options.range, "timeline: events A to B, B not included (default: all)")
        ->type_name("A:B");
    command
        ->add_option("--at", options.at,
            "composition, segments: right after this event (default: the peak; segments: the last "
            "out-of-memory event, if there is one)")
        ->type_name("EVENT");
    command
        ->add_option("--group", options.group,
            "timeline: category, site, size, stream or pool (default: category, where it is known for half "
            "of "
            "the bytes, else site); composition: site or category (default: site); waterfall: stack, site, "
            "function, file, category or size "
            "(default: site)")
        ->type_name("KEY")
        ->check(CLI::IsMember({"category", "site", "size", "stream", "pool", "stack", "function", "file"})
                    .description("category|site|size|stream|pool|stack|function|file"));
    command
        ->add_option("--align", options.align,
            "diff: what is put beside each other: steps, steps with their phases, times or events (default: "
            "step)")
        ->type_name("step|phase|time|event")
        ->check(CLI::IsMember({"step", "phase", "time", "event"}));
    command->add_option("--size", options.size, "Width and height in pixels")
        ->type_name("WxH")
        ->capture_default_str();
    command
        ->add_option("--notes", options.notes,
            "timeline, steps, diff: JSON file with your notes, which are drawn as numbered flags")
        ->type_name("FILE");
    command->add_flag("--dark", options.dark, "Light on dark");
    addOut(*command, options.out, options.force);
    command->callback([&options, &exitCode] { exitCode = runFigure(options); });
}

void OutputCommands::addReport(CLI::App& app, int& exitCode)
{
    ReportCommandOptions& options = m_report;
    CLI::App* command = app.add_subcommand("report",
        "Write a report that stands alone: what happened to memory and why, of one run or of two, before and "
        "after");
    addCommon(*command, options.common, true);
    command->get_option("files")->required(false);
    command
        ->add_option("--before", options.before, "Files or folders of the run before; FILE is the run after")
        ->type_name("FILE");
    addDevice(*command, options.device);
    command
        ->add_option("--template", options.kind,
            "What kind of text: the whole story, whether the fix worked, or half a page for a pull request "
            "(default: incident; of two runs before-after)")
        ->check(CLI::IsMember({"incident", "before-after", "pull-request"})
                    .description("incident|before-after|pull-request"));
    command
        ->add_option("--sections", options.sections, "Sections and their order, as in summary,findings,notes")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("LIST");
    command->add_option("--title", options.title, "Title (default: made of the files' names)")
        ->type_name("TEXT");
    command->add_option("--notes", options.notes, "JSON file with your notes on the runs")->type_name("FILE");
    command
        ->add_option("--workspace", options.workspace,
            "Workspace: its notes, rules and report settings, and its files and configuration where no FILE "
            "is "
            "given; what other options say goes before it")
        ->type_name("FILE");
    command->add_flag("--strip-paths", options.stripPaths, "Leave user names and folders out of every text");
    command
        ->add_option("--config", options.config,
            "Configuration of the run, JSON or YAML: the expected budget, the GPU, and settings; of both "
            "runs where --config-before is not given")
        ->type_name("RUN");
    command->add_option("--config-before", options.beforeConfig, "The same of the run before alone")
        ->type_name("RUN");
    addRules(*command, options.rules);
    addOut(*command, options.out, options.force);
    command->footer(kReportFooter);
    command->callback([&options, &exitCode] { exitCode = runReport(options); });
}

void OutputCommands::addBudget(CLI::App& app, int& exitCode)
{
    BudgetOptions& options = m_budget;
    CLI::App* command = app.add_subcommand("budget",
        "What a run needs by its configuration, line by line; beside it what FILE shows, and which GPUs it "
        "fits");
    addCommon(*command, options.common, false);
    command->get_option("file")->required(false);
    command->add_option("--config", options.config, "The run's configuration as JSON or YAML (see below)")
        ->required()
        ->type_name("RUN");
    addDevice(*command, options.device);
    command
        ->add_option("--gpu", options.gpus,
            "GPUs, as T4, \"A100 80\" or 24GiB (default: those of RUN, else all that are known)")
        ->type_name("NAME");
    command
        ->add_option("--what-if", options.whatIf,
            "The same with other values of a setting, as in batch=1,2,4; given several times, every "
            "combination")
        ->type_name("KEY=VALUES")
        ->expected(1)
        ->take_all();
    addRules(*command, options.rules);
    command->footer(kBudgetFooter);
    command->callback([&options, &exitCode] { exitCode = runBudget(options); });
}

void OutputCommands::addRehearse(CLI::App& app, int& exitCode)
{
    RehearseOptions& options = m_rehearse;
    CLI::App* command = app.add_subcommand("rehearse",
        "Run a training script on a simulated GPU, record PyTorch's allocator, and say whether the run fits");
    command->add_option("command", options.command, "Python and its arguments, after --")
        ->required()
        ->type_name("COMMAND");
    command
        ->add_option(
            "--gpu", options.gpu, "GPU to simulate: a name of which budget tells, or a size as 24GiB")
        ->required()
        ->type_name("NAME");
    command->add_option("--gpus", options.gpus, "How many of them each process sees")
        ->check(CLI::Range(1, 64))
        ->capture_default_str()
        ->type_name("N");
    command
        ->add_option("-o,--out", options.out,
            "Snapshot to write; of several ranks: _rank0 and so on before the ending")
        ->capture_default_str()
        ->type_name("SNAPSHOT");
    command->add_option("--trace", options.trace, "Also write a trace of torch.profiler")->type_name("TRACE");
    command
        ->add_option("--labels", options.labels,
            "Also write what each storage was: parameter, gradient, activation, …; by hooks in PyTorch")
        ->type_name("FILE");
    command
        ->add_option("--steering", options.steering,
            "Python file with rules for values that the script reads back, tried before the usual ones")
        ->type_name("FILE");
    command->add_option("--stacks", options.stacks, "Call stacks: of Python, or of C++ as well (slow)")
        ->check(CLI::IsMember({"python", "all"}))
        ->capture_default_str();
    command
        ->add_option(
            "--history", options.history, "Record the whole run, or what the script records by itself")
        ->check(CLI::IsMember({"whole", "script"}))
        ->capture_default_str();
    command
        ->add_option("--kernel-time", options.kernelMicroseconds,
            "Device time of each kernel and copy in µs, so that work is done late (default: at once)")
        ->check(CLI::NonNegativeNumber)
        ->type_name("US");
    command
        ->add_option("--addresses", options.addresses,
            "Where the driver places memory: down from the top, as on Linux, up, as on Windows, or the "
            "regions of "
            "one recording in the order in which they fill, as 0x710000000-0x775200000,…")
        ->check(
            [](const std::string& text) {
                const auto order = rehearse::addressOrderFrom(text);
                return order ? std::string() : order.error().message;
            },
            "ADDRESSES")
        ->capture_default_str()
        ->type_name("ORDER");
    command->add_flag("--force", options.force, "Even where there is a real GPU, and replace SNAPSHOT");
    command->add_flag("--open", options.open, "Open the snapshot in the window afterwards");
    command->add_flag("--json", options.common.json,
        "Print the verdict as one JSON document; the command's output goes to standard error");
    command->add_flag("--quiet", options.common.quiet, "Show no progress");
    command->footer(kRehearseFooter);
    command->callback([&options, &exitCode] { exitCode = runRehearse(options); });
}

void OutputCommands::addOpen(CLI::App& app, int& exitCode)
{
    OpenOptions& options = m_open;
    CLI::App* command = app.add_subcommand("open", "Open files in the window (starts highwater-gui)");
    command->add_option("files", options.files, "Files to open")->required()->type_name("FILE");
    command->callback([&options, &exitCode] { exitCode = runOpen(options); });
}

} // namespace highwater::cli
