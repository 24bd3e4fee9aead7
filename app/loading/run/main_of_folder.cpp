#include "app/loading/run/main_of_folder.h"

#include <utility>

#include "app/loading/input_paths.h"
#include "app/loading/run/main_candidate.h"
#include "core/analysis/logs/log_failures.h"

namespace highwater {

bool isFolder(const std::string& path)
{
    const std::vector<InputPath> files = expandInputs({path});
    return files.size() != 1 || files.front().fromFolder;
}

Result<FolderChoice> chooseInFolder(
    const std::string& folder, std::optional<std::int64_t> rank, const LoadOptions& options)
{
    FolderChoice chosen;
    IncrementalMainChoice keeper(rank);
    for (const InputPath& file : expandInputs({folder})) {
        Result<ImportedTrace> imported = loadFile(file.path, options);
        if (!imported && imported.error().code == ErrorCode::Cancelled)
            return tl::unexpected(imported.error());
        if (!imported || isEmptyLog(*imported->trace))
            continue;
        const std::size_t keptIndex = keeper.add(mainCandidate(file.path, *imported->trace));
        if (keptIndex + 1 == keeper.files().size())
            chosen.held = LoadedFile{file.path, *std::move(imported)};
    }
    std::optional<MainChoice> choice = keeper.choice();
    if (!choice)
        return tl::unexpected(
            rank && !keeper.files().empty() ? noSuchRank(*rank, keeper.files()) : noKnownFormatError());
    chosen.files = keeper.files();
    chosen.choice = *std::move(choice);
    return chosen;
}

Result<ImportedTrace> loadMainFile(FolderChoice& chosen, const LoadOptions& options)
{
    if (std::optional<LoadedFile> held = std::exchange(chosen.held, std::nullopt);
        held && held->path == chosen.path())
        return std::move(held->file);
    return loadFile(chosen.path(), options);
}

void alignRanks(FolderChoice& before, FolderChoice& after)
{
    const std::optional<std::int64_t> rank = comparedRank(before.choice, after.choice);
    for (FolderChoice* run : {&before, &after}) {
        std::optional<MainChoice> aligned = rank ? chooseMain(run->files, rank) : std::nullopt;
        if (aligned && run->choice.place().rank != rank)
            run->choice = *std::move(aligned);
    }
}

} // namespace highwater
