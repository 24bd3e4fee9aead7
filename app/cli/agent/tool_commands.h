#pragma once

#include "app/cli/agent/tool_arguments.h"
#include "app/cli/agent/tool_context.h"

namespace highwater::cli {

/// Returns the options of a command for the files and the rank of a call. Ends the call if a path is refused
/// (`GrantedFolders`).
CommonOptions optionsForRun(const ToolContext& context, const ToolArguments& arguments);

/// These answer the tools of the same names with the documents that the commands print with `--json`. Each
/// ends the call with a `Refusal` if an argument or a path is refused, or if the command ends with one.
ToolDocument runOpenTool(const ToolContext& context, const ToolArguments& arguments);
ToolDocument runPeaksTool(const ToolContext& context, const ToolArguments& arguments);
/// The findings are in reading order, unlike those of the command.
ToolDocument runFindingsTool(const ToolContext& context, const ToolArguments& arguments);
ToolDocument runCompareTool(const ToolContext& context, const ToolArguments& arguments);
ToolDocument runSegmentsTool(const ToolContext& context, const ToolArguments& arguments);
ToolDocument runWhatIfTool(const ToolContext& context, const ToolArguments& arguments);
/// Returns {"kind", "bytes", "svg"}, with the picture as text.
ToolDocument runFigureTool(const ToolContext& context, const ToolArguments& arguments);
ToolDocument runRanksTool(const ToolContext& context, const ToolArguments& arguments);
ToolDocument runCheckTool(const ToolContext& context, const ToolArguments& arguments);
ToolDocument runBudgetTool(const ToolContext& context, const ToolArguments& arguments);

} // namespace highwater::cli
