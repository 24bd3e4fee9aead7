#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace highwater {

/// Returns the text of a source file that the recording itself contains (core/trace/source_code.h), by the
/// path of its frames; nullopt if that file is missing or the recorded text is damaged. O(bytes of all
/// recorded source files).
std::optional<std::string> recordedSource(const TraceMetadata& metadata, std::string_view path);

} // namespace highwater
