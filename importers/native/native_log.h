#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/trace/trace.h"

/// The parts of the file's description that come from logs: series, events, configuration.
namespace highwater::native {

nlohmann::json countersJson(const Trace& trace);
nlohmann::json logEventsJson(const Trace& trace);
nlohmann::json configurationJson(const Trace& trace);

// Members that older files lack are optional. Fails by nlohmann::json::exception.
CounterSeries counterFrom(const nlohmann::json& json);
LogEvent logEventFrom(const nlohmann::json& json);
ConfigurationEntry configurationEntryFrom(const nlohmann::json& json);

} // namespace highwater::native
