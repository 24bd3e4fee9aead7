#pragma once

#include <optional>
#include <string>

#include "core/base/progress.h"

namespace highwater {

/// SHA-256 of a file's bytes as 64 hexadecimal digits; none when it cannot be read (again), or
/// when `stop` was requested meanwhile. Progress counts its bytes.
std::optional<std::string> sha256OfFile(
    const std::string& path, ProgressSink* progress = nullptr, const StopToken& stop = {});

} // namespace highwater
