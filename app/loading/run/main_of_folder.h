#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/run/choice/main_choice.h"

namespace highwater {

/// A file that was read and is kept in memory.
struct LoadedFile
{
    std::string path;
    ImportedTrace file;
};

/// The files of a folder and the choice of the main one.
struct FolderChoice
{
    std::vector<MainCandidate> files;
    MainChoice choice;
    std::optional<LoadedFile> held = {}; ///< one of the files that were read, most often the main one

    const std::string& path() const { return files[choice.file].member.path; } ///< path of the main file
};

/// True if the path is a folder that can be listed.
bool isFolder(const std::string& path);

/// Reads all files of a folder, one after the other, and chooses the main one (`chooseMain`, which also
/// explains `rank`). Only the recording of the best file so far stays in memory. Fails with UnknownFormat if
/// no file can be read or all are texts without figures and messages, with BadRequest if no file has that
/// rank, and with Cancelled.
Result<FolderChoice> chooseInFolder(
    const std::string& folder, std::optional<std::int64_t> rank, const LoadOptions& options);

/// Returns the main file and empties `chosen.held`. The file is read again if it was not held.
Result<ImportedTrace> loadMainFile(FolderChoice& chosen, const LoadOptions& options);

/// Makes a file of `comparedRank` the main one in each run that has such a file.
void alignRanks(FolderChoice& before, FolderChoice& after);

} // namespace highwater
