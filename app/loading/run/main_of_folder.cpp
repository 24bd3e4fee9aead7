#include "app/loading/run/main_of_folder.h"

#include "app/loading/device_choice.h"
#include "app/loading/input_paths.h"
#include "app/loading/run/main_candidate.h"

namespace highwater {

namespace {

MainCandidate shownCandidate(const std::string& path, const Trace& trace)
{
    const std::vector<DeviceFigures> figures = allFigures(trace);
    const std::optional<DeviceIndex> device = mainDevice(trace, figures);
    return mainCandidate(path, trace, device, device ? &figures[*device] : nullptr);
}

} // namespace

bool isFolder(const std::string& path)
{
    const std::vector<InputPath> files = expandInputs({path});
    return files.size() != 1 || files.front().fromFolder;
}

Result<FolderChoice> chooseInFolder(
    const std::string& folder, std::optional<std::int64_t> rank, const LoadOptions& options)
{
    FolderChoice chosen;
    for (const InputPath& file : expandInputs({folder})) {
        const Result<ImportedTrace> imported = loadFile(file.path, options);
        if (imported && !isEmptyLog(*imported->trace))
            chosen.files.push_back(shownCandidate(file.path, *imported->trace));
        else if (!imported && imported.error().code == ErrorCode::Cancelled)
            return tl::unexpected(imported.error());
    }
    std::optional<MainChoice> choice = chooseMain(chosen.files, rank);
    if (!choice)
        return tl::unexpected(
            rank && !chosen.files.empty() ? noSuchRank(*rank, chosen.files) : nothingKnown());
    chosen.choice = *std::move(choice);
    return chosen;
}

void alignRanks(FolderChoice& before, FolderChoice& after)
{
    const std::optional<std::int64_t> rank = comparedRank(before.choice, after.choice);
    for (FolderChoice* of : {&before, &after}) {
        std::optional<MainChoice> aligned = rank ? chooseMain(of->files, rank) : std::nullopt;
        if (aligned && of->choice.place().rank != rank)
            of->choice = *std::move(aligned);
    }
}

} // namespace highwater
