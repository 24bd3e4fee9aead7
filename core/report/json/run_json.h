#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/run/choice/main_choice.h"

namespace highwater {

/// Returns the value of the key "run" of documents about a run: its files and ranks, the main file with the
/// reason for it, and files of other runs.
nlohmann::ordered_json runJson(const RunMain& main);

} // namespace highwater
