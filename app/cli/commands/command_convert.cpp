#include "app/cli/commands/commands.h"

#include "app/cli/console/output_file.h"
#include "importers/native/native_writer.h"

namespace highwater::cli {

int runConvert(const ConvertOptions& options)
{
    const std::string& path = options.common.files.front();
    const LoadedInput input = needInput(path, options.common);
    OutputFile out = OutputFile::need(options.out, options.force, {path});
    const Result<void> written
        = writeNative(*input.imported->trace, [&](std::string_view bytes) { return out.write(bytes); });
    if (!written)
        need(options.out, out.finish()); // the system's reason
    need(options.out, written);
    need(options.out, out.commit());
    return exitCodeOf(input);
}

} // namespace highwater::cli
