#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/log_event.h"

namespace highwater {

/// The settings of a run's configuration file, JSON or YAML, flattened: "optimizer.betas.0". Values are as
/// written; JSON's texts without quotes; empty lists and objects are "[]" and "{}". YAML aliases are not
/// expanded ("*anchor" is the value), so that they cannot blow up a file. Settings keep the order of the
/// file.
///
/// Fails with Malformed where the text is neither, with its line, and with LimitExceeded beyond 4 MiB, 64
/// levels or 100,000 settings. O(bytes).
Result<std::vector<ConfigurationEntry>> parseConfiguration(std::string_view text);

} // namespace highwater
