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

/// Studies the run of these files without printing anything, for commands whose own answer is about something
/// else. Returns null if the files cannot be read, or not a second time, as standard input and pipes. With
/// `common.kept`, the command and this function share one reading of the files. O(detectors × (events +
/// stacks)).
std::shared_ptr<const RunStudy> studyOfRun(const CommonOptions& common, const DiagnosedFiles& of);

/// Returns the "diagnosis" of a document; null if there is none.
nlohmann::ordered_json diagnosisOfRun(const CommonOptions& common, const DiagnosedFiles& of);

/// Studies the main rank of a merged run, with the run's logs and compared with all of its ranks. Returns
/// null as `studyOfRun` does.
std::shared_ptr<const RunStudy> studyOfMainRank(const CommonOptions& common, const RunRanks& run);

/// Puts the diagnosis first in a document.
void putFirst(nlohmann::ordered_json& document, nlohmann::ordered_json diagnosis);

/// Studies one file that has been read; null if it has no such device. O(detectors × (events + stacks)).
std::shared_ptr<const RunStudy> studyOfInput(
    const LoadedInput& input, const std::optional<std::string>& device = {});

/// Adds storage for the files of a command that are read a second time for the diagnosis.
CommonOptions keepingFiles(CommonOptions common);

} // namespace highwater::cli
