#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// What a finding says, as the rows of `highwater findings --json` have it, but for the path of its file.
/// `companions` are those that its evidence may lead to; a line of one that is not among them names no file.
nlohmann::ordered_json findingJson(const Finding& finding, const std::vector<CompanionFile>& companions = {});

} // namespace highwater
