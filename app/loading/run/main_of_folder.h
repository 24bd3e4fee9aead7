#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/loading/load_file.h"
#include "core/run/choice/main_choice.h"

namespace highwater {

/// A file that was read.
struct HeldFile
{
    std::string path;
    ImportedTrace file;
};

/// The files of a folder, as far as the choice among them goes.
struct FolderChoice
{
    std::vector<MainCandidate> files;
    MainChoice choice;
    std::optional<HeldFile> held = {}; ///< of the files that were read, most often the main one

    const std::string& path() const { return files[choice.file].member.path; } ///< of the main file
};

/// Whether the path stands for other files than itself.
bool isFolder(const std::string& path);

/// Chooses the main file of a folder (`chooseMain`, `rank` as there). Reads all of its files, one after the
/// other, and holds the best so far. Fails with UnknownFormat if no file has a known form, with BadRequest if
/// none is of that rank, and with Cancelled.
Result<FolderChoice> chooseInFolder(
    const std::string& folder, std::optional<std::int64_t> rank, const LoadOptions& options);

/// The main file, read again only where it is not held. Nothing is held afterwards.
Result<ImportedTrace> takeMain(FolderChoice& chosen, const LoadOptions& options);

/// Two runs are compared by the same rank (`comparedRank`), where both have it.
void alignRanks(FolderChoice& before, FolderChoice& after);

} // namespace highwater
