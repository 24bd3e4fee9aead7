#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/input/inputs.h"
#include "core/analysis/ranks/run_ranks.h"
#include "core/study/run_study.h"

namespace highwater::cli {

/// The files of a run, and the device and main file to diagnose.
struct DiagnosedFiles
{
    std::vector<std::string> files; ///< files and folders
    std::optional<std::string> device = {}; ///< nullopt selects the one with the largest peak
    std::string shown = {}; ///< path of the main file; if empty, `chooseMain` decides
};

/// Studies the run of these files without printing its errors, for commands whose own answer is about
/// something else. Returns null if the run cannot be read, or not again, as from standard input and pipes.
/// With `common.kept`, files that the command has read are not read again. O(detectors × (events
/// + stacks)).
std::shared_ptr<const RunStudy> studyOfRun(const CommonOptions& common, const DiagnosedFiles& diagnosed);

/// Returns the "diagnosis" of a JSON document; null if the run cannot be studied (`studyOfRun`).
nlohmann::ordered_json diagnosisOfRun(const CommonOptions& common, const DiagnosedFiles& diagnosed);

/// Studies the main rank of a merged run with the files that other programs recorded, and compares that rank
/// with all others. Returns null if the run has no ranks or cannot be studied (`studyOfRun`).
std::shared_ptr<const RunStudy> studyOfMainRank(const CommonOptions& common, const RunRanks& run);

/// Makes the diagnosis the first member of a document, in place of an existing one.
void putDiagnosisFirst(nlohmann::ordered_json& document, nlohmann::ordered_json diagnosis);

/// Studies one file, which has been read without an error; null if it has no such device. O(detectors ×
/// (events + stacks)).
std::shared_ptr<const RunStudy> studyOfInput(
    const LoadedInput& input, const std::optional<std::string>& device = {});

/// Returns the options with storage (`kept`) for the command's files, so that the diagnosis need not read
/// them again.
CommonOptions withKeptFiles(CommonOptions common);

} // namespace highwater::cli
