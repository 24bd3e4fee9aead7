#pragma once

#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/input/inputs.h"

namespace highwater::cli {

/// A command's answer for one file that could be read. Either function may end the command with a Refusal.
struct FileCommand
{
    /// Requested by the user; nullopt selects the one with the largest peak.
    std::optional<std::string> device;
    std::function<nlohmann::ordered_json(const LoadedInput&)> document; ///< makes the answer with --json
    std::function<void(const LoadedInput&)> print; ///< prints the answer without --json
    bool diagnoses = false; ///< the document begins with the run's diagnosis
};

/// True if the user names one file and no folder.
bool isOneFile(const CommonOptions& options);

/// Answers for the run that the files belong to. As text, the answer is about its main file, below a head
/// with the run's files and how its ranks differ. With --json it is the document of one file, or {"files":
/// […]} for several; in both, "run" names the main file. If the command fails for one of several files, the
/// error is printed and the next file follows; logs in folders get no document. Returns the worst exit code.
int answerForRun(const CommonOptions& options, const FileCommand& command);

/// Serves commands that write one file for each of several: `write` gets an input and the path of its output
/// in the folder `out`, which is created if missing. The output's name is the input's name without its
/// endings, plus `ending`.
int writeForEachFile(const CommonOptions& options, const std::string& out, const std::string& ending,
    const std::function<void(const LoadedInput&, const std::string&)>& write);

} // namespace highwater::cli
