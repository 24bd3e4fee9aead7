#pragma once

#include <string>

#include "core/base/result.h"

namespace highwater {

/// Reads the user's own patterns of log lines (JSON text in the format of resources/log-patterns.json). The
/// text is not checked. Fails with CannotRead, or with LimitExceeded above one mebibyte.
Result<std::string> loadLogPatterns(const std::string& path);

/// Returns the content of `log-patterns.json` in the user's configuration folder ($XDG_CONFIG_HOME/highwater,
/// else ~/.config/highwater); empty if there is none or it cannot be read.
std::string usersLogPatterns();

} // namespace highwater
