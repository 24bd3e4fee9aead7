#include "app/cli/commands/commands.h"

#include <fmt/format.h>

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/loading/recording_recipes.h"
#include "core/base/json.h"

namespace highwater::cli {

namespace {

/// Adds advice in comments, which look the same in Python and in a shell.
std::string linesWithAdvice(const std::string& lines)
{
    return fmt::format(
        "# Where the script runs, install the wheel highwater_gpu. Or write the recorder as one file:\n"
        "#   highwater record --standalone > {}\n"
        "# and import that file in place of the wheel:\n"
        "#   import {} as highwater_gpu\n"
        "{}"
        "# Afterwards, read the snapshots:\n"
        "#   highwater findings memory\n",
        kStandAloneName, kStandAloneName.substr(0, kStandAloneName.find('.')), lines);
}

} // namespace

int runRecord(const RecordOptions& options)
{
    const std::string lines = recordingLines(options.framework).value_or("");
    if (options.json)
        printDocument({{"for", options.framework}, {"lines", lines}, {"file", kStandAloneName},
            {"text", standAloneRecorder()}});
    else
        writeOut(options.standAlone ? standAloneRecorder() : linesWithAdvice(lines));
    return Done;
}

} // namespace highwater::cli
