#include "app/cli/commands/commands.h"

#include "app/cli/console/exit_code.h"
#include "app/cli/console/output.h"
#include "app/loading/recording_recipes.h"
#include "core/base/json.h"

namespace highwater::cli {

int runRecord(const RecordOptions& options)
{
    const std::string text = recordingRecipe(options.framework).value_or("");
    if (options.json)
        printDocument({{"for", options.framework}, {"file", "record_memory.py"}, {"text", text}});
    else
        writeOut(text);
    return Done;
}

} // namespace highwater::cli
