#pragma once

#include <string>
#include <vector>

#include "app/cli/agent/short_answer.h"
#include "app/cli/agent/tool_arguments.h"
#include "app/cli/agent/tool_context.h"

namespace highwater::cli {

/// A tool of the MCP server. Most tools answer with the document that a command prints with `--json`; the
/// descriptions name that command.
struct Tool
{
    std::string name;
    std::string description;
    Json schema; ///< JSON Schema of its arguments
    ToolDocument (*run)(const ToolContext& context, const ToolArguments& arguments);
    bool quotesTexts = true; ///< the document contains texts from files
    bool isAboutRun = true; ///< `files` name one run, whose diagnosis begins the answer
};

/// Returns all tools, in the order in which clients list them.
const std::vector<Tool>& tools();

/// The answer to a call.
struct ToolAnswer
{
    std::string text;
    bool isError = false;
};

/// Calls a tool. An error becomes the answer, with `isError`. May throw WorkCancelled.
ToolAnswer callTool(const ToolContext& context, const Tool& tool, const Json& arguments);

/// Maximum size of an answer's text, in bytes.
inline constexpr std::size_t kMaxAnswerBytes = 8192;

/// Answers `allocations`: the allocations of one device that match a filter, as in `export --what allocations
/// --json`, with the totals of all matches.
ToolDocument allocationsDocument(const ToolContext& context, const ToolArguments& arguments);
/// Answers `files`: the entries of the requested folder, or of all folders that may be read.
ToolDocument filesDocument(const ToolContext& context, const ToolArguments& arguments);

} // namespace highwater::cli
