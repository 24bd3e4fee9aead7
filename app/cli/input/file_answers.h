#pragma once

#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/input/inputs.h"

namespace highwater::cli {

/// A command that answers for one file at a time. `document` and `print` get a file that could be read;
/// either may throw a Refusal.
struct FileCommand
{
    /// The requested device; nullopt selects the one with the largest peak.
    std::optional<std::string> device;
    std::function<nlohmann::ordered_json(const LoadedInput&)> document; ///< makes the answer with --json
    std::function<void(const LoadedInput&)> print; ///< prints the answer without --json
    bool diagnoses = false; ///< the document begins with the run's diagnosis
};

/// True if the command has one file, which is not given by its folder.
bool isOneFile(const CommonOptions& options);

/// Answers for the run that the files belong to. Without --json, prints the answer for the run's main file,
/// below lines about the run. With --json, prints the document of a single file, or {"files": […]} for
/// several, in which a file that fails has an "error" and logs in folders are left out; "run" names the main
/// file. Returns the worst exit code. Ends the command if a single file or the run cannot be read, or if no
/// file has the requested rank.
int answerForRun(const CommonOptions& options, const FileCommand& command);

/// Writes one output for each of several inputs: `write` gets an input and the path of its output in the
/// folder `out`, which is created if missing. An output has the name of its input, without the endings
/// of its compression and its format, then `ending`; an input whose output would replace that of an earlier
/// one is refused. Errors are printed, and logs in folders are left out. Returns the worst exit code. Ends
/// the command if `out` is standard output or cannot be a folder.
int writeForEachFile(const CommonOptions& options, const std::string& out, const std::string& ending,
    const std::function<void(const LoadedInput&, const std::string&)>& write);

} // namespace highwater::cli
