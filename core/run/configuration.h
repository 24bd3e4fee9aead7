#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/log_event.h"

namespace highwater {

/// Parses a run's configuration file, JSON or YAML, into flat settings in the order of the file:
/// "optimizer.betas.0". Values are as written, except that JSON strings lose their quotes and JSON numbers
/// are written anew (1e-4 is 0.0001); empty lists and objects are "[]" and "{}". YAML aliases are not
/// expanded ("*1" is the value), so that a small file cannot expand into a huge one. Of several YAML
/// documents the first is read. A text that is a single value has no settings.
///
/// Fails with Malformed and the line if the text is neither JSON nor YAML, and with LimitExceeded beyond 4
/// MiB, 64 levels or 100,000 settings. O(bytes).
Result<std::vector<ConfigurationEntry>> parseConfiguration(std::string_view text);

} // namespace highwater
