#pragma once

#include <string>

#include "core/base/result.h"

namespace highwater {

/// The user's own patterns of log lines (JSON text of the shape of resources/log-patterns.json). Fails with
/// CannotRead, or with LimitExceeded for more than a mebibyte.
Result<std::string> loadLogPatterns(const std::string& path);

/// Content of `log-patterns.json` in the user's configuration folder ($XDG_CONFIG_HOME/highwater, else
/// ~/.config/highwater); empty if there is none.
std::string usersLogPatterns();

} // namespace highwater
