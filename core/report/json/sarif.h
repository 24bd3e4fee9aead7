#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/detectors/finding.h"
#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// A finding and where it belongs in the code.
struct PlacedFinding
{
    const Finding* finding = nullptr; ///< never null
    std::optional<FailurePlace> place;
    std::string recording; ///< path of the file that shows it
};

/// Returns findings as a log in the Static Analysis Results Interchange Format 2.1.0 (OASIS), which
/// code-review tools show beside the lines: one result for each finding, in the given order. A certain fault
/// is an error, a likely one a warning; guesses and facts are notes. A finding without a place has no
/// location. Absolute paths become file: URIs.
nlohmann::ordered_json sarifLog(const std::vector<PlacedFinding>& findings);

} // namespace highwater
