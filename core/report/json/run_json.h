#pragma once

#include <cstdint>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "core/report/model/report_request.h"

namespace highwater {

/// The key "run" of documents about a run: its files and ranks, and the main file with the reason for it.
/// `device`: ordinal of the device that is shown; none: it has none.
nlohmann::ordered_json runJson(const RunMain& main, std::optional<std::int64_t> device);
nlohmann::ordered_json runJson(const ReportRun& run);

} // namespace highwater
