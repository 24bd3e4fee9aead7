#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/study/diagnosis/diagnosis.h"

namespace highwater {

/// The key "diagnosis" of every document about a run.
nlohmann::ordered_json diagnosisJson(const Diagnosis& diagnosis);

} // namespace highwater
