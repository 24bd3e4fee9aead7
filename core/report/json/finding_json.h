#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Returns a finding as in the rows of `highwater findings --json`, without the path of its file.
/// `auxiliaryFiles` are the auxiliary files to which its evidence may refer; for a line of any other file, no
/// file is named.
nlohmann::ordered_json findingJson(
    const Finding& finding, const std::vector<AuxiliaryFile>& auxiliaryFiles = {});

} // namespace highwater
