#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/agent/granted_folders.h"
#include "app/cli/agent/short_answer.h"
#include "app/cli/agent/tool_arguments.h"
#include "app/cli/input/inputs.h"
#include "app/cli/input/run_diagnosis.h"

namespace highwater::cli {

/// Diagnoses of runs that have been asked about, as long as their files stay as they are.
class KnownDiagnoses
{
public:
    /// As `diagnosisOfRun`.
    Json of(const CommonOptions& common, const DiagnosedFiles& run);

private:
    std::map<std::string, Json> m_known; ///< by the request and the state of its files
};

/// What the calls of a session share.
struct ToolContext
{
    GrantedFolders folders;
    CommonOptions common; ///< without files; quiet, JSON, with a place where files are kept
    std::shared_ptr<KnownDiagnoses> diagnoses; ///< never null
};

/// The whole answer to a call, which may be long.
struct ToolDocument
{
    Json document; ///< null: there is none, and the messages say why
    std::string messages; ///< what the command printed on standard error
};

/// One tool: what it is called, what it takes, and the document that it answers with, which is that of the
/// command with `--json`.
struct Tool
{
    std::string name;
    std::string description;
    Json schema; ///< JSON Schema of its arguments
    ToolDocument (*run)(const ToolContext& context, const ToolArguments& arguments);
    bool quotesTexts = true; ///< the document has texts that come from files
    bool isOfRun
        = true; ///< its arguments `file` or `files` are one run, whose diagnosis the answer begins with
};

const std::vector<Tool>& tools();

/// What a call is answered with.
struct ToolAnswer
{
    std::string text;
    bool isError = false;
};

/// Calls a tool. What is wrong is part of the answer. May throw WorkCancelled.
ToolAnswer callTool(const ToolContext& context, const Tool& tool, const Json& arguments);

/// The most bytes of an answer's text.
inline constexpr std::size_t kMostAnswerBytes = 8192;

/// `allocations`: those of one device that match a filter. A part of `export --what allocations --json`,
/// with what all matches add up to.
ToolDocument allocationsDocument(const ToolContext& context, const ToolArguments& arguments);
/// `files`: what lies in the folders that may be read.
ToolDocument filesDocument(const ToolContext& context, const ToolArguments& arguments);

} // namespace highwater::cli
