#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/detectors/detector_input.h"

namespace highwater::cli {

/// Findings about one file, or about logs alone.
struct FileFindings
{
    std::string path;
    std::string verdict; ///< what is wrong with the run, in sentences
    std::vector<Finding> findings;
};

/// A row of the "findings" array.
nlohmann::ordered_json findingJson(
    const Finding& finding, const std::string& path, const std::vector<CompanionFile>& companions);

/// For people: title first, then what it rests on, what to do and what would disprove it.
void printFinding(const Finding& finding);

} // namespace highwater::cli
