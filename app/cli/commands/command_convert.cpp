#include "app/cli/commands/commands.h"

#include "app/cli/console/output_file.h"
#include "app/cli/input/file_answers.h"
#include "core/trace/summary/rank_summary.h"
#include "importers/native/native_writer.h"

namespace highwater::cli {

namespace {

/// Writes the compact file; ends the command for a summary, and for errors.
void convertTo(const LoadedInput& input, const std::string& path, bool force)
{
    if (input.imported->trace->metadata.kind == TraceKind::RankSummary)
        refuse(input.path, "is a summary, which is smaller than a .hwt file");
    OutputFile out = OutputFile::need(path, force, {input.path});
    const Result<void> written
        = writeNative(*input.imported->trace, [&](std::string_view bytes) { return out.write(bytes); });
    if (!written)
        need(path, out.finish()); // reports the system's reason
    need(path, written);
    need(path, out.commit());
}

} // namespace

int runConvert(const ConvertOptions& options)
{
    if (!isOneFile(options.common))
        return writeForEachFile(
            options.common, options.out, ".hwt", [&](const LoadedInput& input, const std::string& path) {
                convertTo(input, path, options.force);
            });
    const LoadedInput input = needInput(options.common.files.front(), options.common);
    convertTo(input, options.out, options.force);
    return exitCodeOf(input);
}

} // namespace highwater::cli
