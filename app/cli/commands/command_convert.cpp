#include "app/cli/commands/commands.h"

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output_file.h"
#include "importers/native/native_writer.h"

namespace highwater::cli {

int runConvert(const ConvertOptions& options)
{
    const std::string& path = options.common.files.front();
    const LoadedInput input = loadInput(path, options.common);
    if (!input.imported)
        return exitCodeOf(input);
    Result<OutputFile> out = OutputFile::create(options.out, options.force, {path});
    if (!out) {
        printError(options.out, out.error());
        return WrongUsage;
    }
    Result<void> done
        = writeNative(*input.imported->trace, [&](std::string_view bytes) { return out->write(bytes); });
    if (done)
        done = out->commit();
    if (!done) {
        printError(options.out, done.error());
        return CannotRead;
    }
    return exitCodeOf(input);
}

} // namespace highwater::cli
