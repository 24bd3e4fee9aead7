#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/cli/agent/granted_folders.h"
#include "app/cli/agent/short_answer.h"
#include "app/cli/input/inputs.h"
#include "app/cli/input/run_diagnosis.h"

namespace highwater::cli {

/// Caches the diagnoses of up to 64 runs. A diagnosis is used as long as sizes and times of the run's files
/// do not change.
class KnownDiagnoses
{
public:
    /// Returns the diagnosis of the run as `diagnosisOfRun` makes it, from the cache if possible.
    Json of(const CommonOptions& common, const DiagnosedFiles& run);

private:
    std::map<std::string, Json> m_known; ///< by the request and the state of its files
};

/// State that the calls of a session share.
struct ToolContext
{
    GrantedFolders folders;
    CommonOptions common; ///< without files; quiet, with JSON and with `kept` set
    std::shared_ptr<KnownDiagnoses> diagnoses; ///< never null
};

/// The whole answer to a call, before it is shortened.
struct ToolDocument
{
    Json document; ///< null if there is none; the messages then give the reason
    std::string messages; ///< what the command printed on standard error
};

} // namespace highwater::cli
