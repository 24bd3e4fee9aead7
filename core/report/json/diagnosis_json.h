#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// Returns the value of the key "diagnosis" in every document about a run.
nlohmann::ordered_json diagnosisJson(const Diagnosis& diagnosis);

/// Returns a line of code as `{"file", "line", "function"}`; null without one.
nlohmann::ordered_json placeJson(const std::optional<FailurePlace>& place);

} // namespace highwater
