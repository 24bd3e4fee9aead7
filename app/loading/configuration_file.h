#pragma once

#include <string>
#include <vector>

#include "core/run/configuration.h"

namespace highwater {

/// The settings of a run from a file of its own, JSON or YAML (`parseConfiguration`). Fails with CannotRead,
/// with LimitExceeded for more than a mebibyte, or with what is wrong with the text.
Result<std::vector<ConfigurationEntry>> loadConfiguration(const std::string& path);

} // namespace highwater
