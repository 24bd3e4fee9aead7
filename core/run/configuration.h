#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/log_event.h"

namespace highwater {

/// The settings of a run's configuration file, JSON or YAML, flattened: "optimizer.betas.0". Values are as
/// written; JSON's texts without quotes; empty lists and objects are "[]" and "{}". YAML's aliases are not
/// followed ("*anchor" is the value), so that a file cannot grow by them. The order is the file's.
///
/// Fails with Malformed where the text is neither, with its line, and with LimitExceeded beyond 4 MiB, 64
/// levels or 100,000 settings. O(bytes).
Result<std::vector<ConfigurationEntry>> parseConfiguration(std::string_view text);

} // namespace highwater
