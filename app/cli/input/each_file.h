#pragma once

#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/input/inputs.h"

namespace highwater::cli {

/// What a command does with one file that could be read. Either may end the command with a Refusal.
struct FileCommand
{
    std::optional<std::string> device; ///< that the user asks for; none: the one with the largest peak
    std::function<nlohmann::ordered_json(const LoadedInput&)> document; ///< with --json
    std::function<void(const LoadedInput&)> print; ///< without
    bool diagnoses = false; ///< the document begins with the run's diagnosis
};

/// Whether the user names one file, and no folder.
bool isOneFile(const CommonOptions& options);

/// Answers for the run that the files are, in text about its main file, below what the run's files are and
/// how its ranks differ. With --json the document of one file; of several the documents of all, as {"files":
/// […]}; in both, "run" says which the main file is. What ends the command for one of several is said, and
/// the next one follows; of folders only what tells allocations counts. Returns the worst exit code.
int answerForRun(const CommonOptions& options, const FileCommand& command);

/// For commands that write a file for each of several: `write` gets an input and the path of its output, in
/// the folder `out`, which is made where it is missing: the input's name without its endings, and `ending`.
int writeForEachFile(const CommonOptions& options, const std::string& out, const std::string& ending,
    const std::function<void(const LoadedInput&, const std::string&)>& write);

} // namespace highwater::cli
