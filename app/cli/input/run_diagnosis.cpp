#include "app/cli/input/run_diagnosis.h"

#include <algorithm>
#include <filesystem>

#include "app/loading/files/kept_files.h"
#include "app/loading/run/read_run.h"
#include "app/loading/run/run_assembly.h"
#include "core/base/json.h"
#include "core/base/text_parts.h"
#include "core/report/json/diagnosis_json.h"

namespace highwater::cli {

namespace {

using Json = nlohmann::ordered_json;

/// False for standard input and pipes, which can be read only once.
bool canBeReadAgain(const std::string& path)
{
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    return std::filesystem::is_regular_file(status) || std::filesystem::is_directory(status);
}

} // namespace

std::shared_ptr<const RunStudy> studyOfRun(const CommonOptions& common, const DiagnosedFiles& diagnosed)
{
    if (!std::ranges::all_of(diagnosed.files, canBeReadAgain))
        return nullptr;
    RunRequest request;
    request.paths = diagnosed.files;
    request.rank = common.rank;
    request.device = diagnosed.device;
    request.shown = diagnosed.shown;
    RunReadOptions options;
    options.load = loadOptionsOf(common);
    const tl::expected<Runs, RunError> runs = readRuns(request, nullptr, options);
    return runs ? runs->run.study : nullptr;
}

Json diagnosisOfRun(const CommonOptions& common, const DiagnosedFiles& diagnosed)
{
    const std::shared_ptr<const RunStudy> study = studyOfRun(common, diagnosed);
    return study ? diagnosisJson(study->diagnosis()) : Json(nullptr);
}

std::shared_ptr<const RunStudy> studyOfMainRank(const CommonOptions& common, const RunRanks& run)
{
    if (run.ranks.empty())
        return nullptr;
    std::vector<std::string> files{run.shown.member.path};
    for (const RankTrouble& trouble : run.troubles)
        if (trouble.kind == RankTrouble::Kind::Foreign)
            files.push_back(trouble.path);
    const std::shared_ptr<const RunStudy> study = studyOfRun(common, {files});
    if (!study || run.table.files.size() < 2)
        return study;
    return study->withRanks(run.table.files, run.shown.member.rank);
}

void putDiagnosisFirst(Json& document, Json diagnosis)
{
    Json reordered = Json::object();
    reordered["diagnosis"] = std::move(diagnosis);
    for (auto& [key, value] : document.items())
        if (key != "diagnosis")
            reordered[key] = std::move(value);
    document = std::move(reordered);
}

std::shared_ptr<const RunStudy> studyOfInput(
    const LoadedInput& input, const std::optional<std::string>& device)
{
    Result<RunParts> parts
        = partsOf(std::string(fileName(input.path)), *input.imported, {device, std::nullopt, {}, {}});
    return parts ? std::make_shared<const RunStudy>(*std::move(parts)) : nullptr;
}

CommonOptions withKeptFiles(CommonOptions common)
{
    if (!common.kept)
        common.kept = std::make_shared<KeptFiles>();
    return common;
}

} // namespace highwater::cli
