#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// A finding as in the rows of `highwater findings --json`, without the path of its file. `companions` are
/// the auxiliary files that its evidence may refer to; a line of one that is not among them names no file.
nlohmann::ordered_json findingJson(const Finding& finding, const std::vector<CompanionFile>& companions = {});

} // namespace highwater
