#pragma once

#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/input/inputs.h"

namespace highwater::cli {

/// What a command does with one file that could be read. Either may end the command with a Refusal.
struct FileCommand
{
    std::function<nlohmann::ordered_json(const LoadedInput&)> document; ///< with --json
    std::function<void(const LoadedInput&)> print; ///< without
};

/// Whether the user names one file, and no folder.
bool isOneFile(const CommonOptions& options);

/// The files that the user names and those of folders, one after the other. Of one file its text or its
/// document; of several each text below its path, or the documents as {"files": […]}. What ends the command
/// for one of several is said, and the next one follows; of folders only what tells allocations counts.
/// Returns the worst exit code.
int forEachFile(const CommonOptions& options, const FileCommand& command);

/// For commands that write a file for each of several: `write` gets an input and the path of its output, in
/// the folder `out`, which is made where it is missing: the input's name without its endings, and `ending`.
int writeForEachFile(const CommonOptions& options, const std::string& out, const std::string& ending,
    const std::function<void(const LoadedInput&, const std::string&)>& write);

} // namespace highwater::cli
