#pragma once

#include <string>
#include <vector>

#include "core/run/configuration.h"

namespace highwater {

/// Reads a run's settings from a file of their own, JSON or YAML (`parseConfiguration`). Fails with
/// CannotRead, with LimitExceeded above one mebibyte, or with the problem in the text.
Result<std::vector<ConfigurationEntry>> loadConfiguration(const std::string& path);

} // namespace highwater
