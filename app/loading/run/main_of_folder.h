#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/run/choice/main_choice.h"

namespace highwater {

/// A file that was read and is kept in memory.
struct HeldFile
{
    std::string path;
    ImportedTrace file;
};

/// The files of a folder and the choice of the main one.
struct FolderChoice
{
    std::vector<MainCandidate> files;
    MainChoice choice;
    std::optional<HeldFile> held = {}; ///< one of the files that were read, most often the main one

    const std::string& path() const { return files[choice.file].member.path; } ///< path of the main file
};

/// True if the path is a folder that can be listed.
bool isFolder(const std::string& path);

/// Chooses the main file of a folder (`chooseMain`, which explains `rank`). Reads all of its files, one after
/// the other, and holds the best one so far. Fails with UnknownFormat if no file has a known format, with
/// BadRequest if none is of that rank, and with Cancelled.
Result<FolderChoice> chooseInFolder(
    const std::string& folder, std::optional<std::int64_t> rank, const LoadOptions& options);

/// Returns the main file, which is read again only if it is not held. Nothing is held afterwards.
Result<ImportedTrace> takeMain(FolderChoice& chosen, const LoadOptions& options);

/// Makes both runs show the same rank (`comparedRank`), as far as they have it.
void alignRanks(FolderChoice& before, FolderChoice& after);

} // namespace highwater
