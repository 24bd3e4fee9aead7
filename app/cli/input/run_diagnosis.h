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

/// The files of a run, and what of them is asked about.
struct DiagnosedFiles
{
    std::vector<std::string> files; ///< and folders
    std::optional<std::string> device = {}; ///< none: the one with the largest peak
    std::string shown = {}; ///< path of the main file; empty: `chooseMain` decides
};

/// The run that these files are, studied without a word: for commands whose own answer is about something
/// else. Null where they cannot be read, or not again, as standard input and pipes. With `common.kept` files
/// are read once for both. O(detectors × (events + stacks)).
std::shared_ptr<const RunStudy> studyOfRun(const CommonOptions& common, const DiagnosedFiles& of);

/// The key "diagnosis" of a document: that of the run, null where there is none.
nlohmann::ordered_json diagnosisOfRun(const CommonOptions& common, const DiagnosedFiles& of);

/// The main rank of a merged run, with its logs, among all of its ranks. Null as `studyOfRun`.
std::shared_ptr<const RunStudy> studyOfMainRank(const CommonOptions& common, const RunRanks& run);

/// Puts the diagnosis first in a document.
void putFirst(nlohmann::ordered_json& document, nlohmann::ordered_json diagnosis);

/// Of one file that has been read; null: it has no device of that name. O(detectors × (events + stacks)).
std::shared_ptr<const RunStudy> studyOfInput(
    const LoadedInput& input, const std::optional<std::string>& device = {});

/// Makes room for the files of a command that are read a second time for the diagnosis.
CommonOptions keepingFiles(CommonOptions common);

} // namespace highwater::cli
