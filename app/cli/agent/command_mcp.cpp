#include "app/cli/agent/mcp_server.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console/refusal.h"
#include "app/loading/files/kept_files.h"

namespace highwater::cli {

int runMcp(const McpOptions& options)
{
    const std::vector<std::string> folders
        = options.common.files.empty() ? std::vector<std::string>{"."} : options.common.files;
    ToolContext context{need("mcp", GrantedFolders::of(folders)), options.common, nullptr};
    context.common.files.clear();
    context.common.json = true;
    context.common.quiet = true;
    context.common.kept = std::make_shared<KeptFiles>();
    context.diagnoses = std::make_shared<KnownDiagnoses>();
    return serveMcp(context);
}

} // namespace highwater::cli
