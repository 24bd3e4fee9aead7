#include "app/cli/command_line.h"

#include <algorithm>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "core/analysis/composition.h"
#include "core/base/text_format.h"

namespace highwater::cli {

namespace {

/// A callback option for "512MiB" and the like.
void addSize(CLI::App& command, const std::string& name, std::uint64_t& into, const std::string& help)
{
    command
        .add_option_function<std::string>(
            name,
            [&into, name](const std::string& text) {
                const std::optional<Bytes> bytes = parseSize(text);
                if (!bytes || *bytes == 0)
                    throw CLI::ValidationError(name,
                        "'" + text + "' is not a size (a number of bytes, or one with KiB, MiB, GiB or TiB)");
                into = static_cast<std::uint64_t>(*bytes);
            },
            help)
        ->type_name("SIZE");
}

void addCommon(CLI::App& command, CommonOptions& options, bool several)
{
    CLI::Option* files = command.add_option(several ? "files" : "file", options.files,
        several ? "Files or folders; - reads standard input" : "File; - reads standard input");
    files->required()->type_name("FILE")->expected(1, several ? -1 : 1);
    command.add_flag("--json", options.json, "Print one JSON document");
    command.add_flag("--quiet", options.quiet, "Show no progress");
    addSize(command, "--max-memory", options.maxMemoryBytes,
        "Refuse input that needs more memory (default: 3/4 of the machine's)");
    addSize(command, "--max-inflate", options.maxInflateBytes, "Refuse input that decompresses to more");
}

void addInfo(CLI::App& app, InfoOptions& options, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "info", "What each file holds: devices, peaks, reserved bytes, out-of-memory events");
    addCommon(*command, options.common, true);
    command->add_flag("--hash", options.hash, "Also compute the SHA-256 of each file");
    command->callback([&] { exitCode = runInfo(options); });
}

void addPeaks(CLI::App& app, PeaksOptions& options, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "peaks", "What was live at the peak, or at any other event, in groups that add up");
    addCommon(*command, options.common, false);
    command
        ->add_option("--device", options.device,
            "Device, as 0, cuda:0 or host (default: the one with the largest peak)")
        ->type_name("N");
    command
        ->add_option("--at", options.at, "Right after this event; -1: before the first (default: the peak)")
        ->type_name("EVENT");
    command->add_option("--group", options.group, "What to group by")
        ->check(CLI::IsMember({"stack", "site", "function", "file", "size", "stream", "pool", "allocation"}))
        ->capture_default_str();
    command->add_option("--top", options.top, "Number of groups to print, the rest in one sum; 0: all")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str()
        ->type_name("N");
    command->callback([&] { exitCode = runPeaks(options); });
}

void addOut(CLI::App& command, std::string& out, bool& force)
{
    command.add_option("-o,--out", out, "File to write; - is standard output")->required()->type_name("OUT");
    command.add_flag("--force", force, "Replace OUT if it exists");
}

void addConvert(CLI::App& app, ConvertOptions& options, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "convert", "Write the own compact form (.hwt), which opens faster and gives the same answers");
    addCommon(*command, options.common, false);
    addOut(*command, options.out, options.force);
    command->callback([&] { exitCode = runConvert(options); });
}

void addExport(CLI::App& app, ExportOptions& options, int& exitCode)
{
    CLI::App* command
        = app.add_subcommand("export", "Write what is computed from a file, for other programs");
    addCommon(*command, options.common, false);
    command->add_option("--what", options.what, "columns: what the timeline draws, column by column")
        ->required()
        ->check(CLI::IsMember({"columns"}));
    command
        ->add_option("--device", options.device,
            "Device, as 0, cuda:0 or host (default: the one with the largest peak)")
        ->type_name("N");
    command->add_option("--range", options.range, "Events A to B, B not included (default: all)")
        ->type_name("A:B");
    command->add_option("--width", options.width, "Number of pixel columns")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    command->add_option("--mode", options.mode, "What bands are put together by")
        ->check(CLI::IsMember({"allocations", "site", "size", "stream", "pool"}))
        ->capture_default_str();
    addOut(*command, options.out, options.force);
    command->callback([&] { exitCode = runExport(options); });
}

void addBench(CLI::App& app, CommonOptions& options, int& exitCode)
{
    CLI::App* command = app.add_subcommand("bench", "Time each stage of opening and drawing a file");
    addCommon(*command, options, false);
    command->callback([&] { exitCode = runBench(options); });
}

bool isCommand(const CLI::App& app, std::string_view name)
{
    const std::vector<const CLI::App*> commands = app.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(commands.begin(), commands.end(),
        [name](const CLI::App* command) { return command->get_name() == name; });
}

} // namespace

int runCommandLine(int argc, char** argv)
{
    CLI::App app{"Shows where a GPU training run's memory went.", "highwater"};
    app.set_version_flag("--version", std::string("highwater " HIGHWATER_VERSION));
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    int exitCode = Done;
    InfoOptions info;
    PeaksOptions peaks;
    ConvertOptions convert;
    ExportOptions exports;
    CommonOptions bench;
    addInfo(app, info, exitCode);
    addPeaks(app, peaks, exitCode);
    addExport(app, exports, exitCode);
    addConvert(app, convert, exitCode);
    addBench(app, bench, exitCode);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        const std::string_view first = argc > 1 ? argv[1] : "";
        if (!first.empty() && first[0] != '-' && !isCommand(app, first)) {
            fmt::print(
                stderr, "highwater: there is no command {} (see highwater --help)\n", sanitizedText(first));
            return WrongUsage;
        }
        fmt::print(stderr, "highwater: {} (see highwater --help)\n", error.what());
        return WrongUsage;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "highwater: out of memory (see --max-memory)\n");
        return CannotRead;
    }
    return exitCode;
}

} // namespace highwater::cli
