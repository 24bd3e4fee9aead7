#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/trace/trace.h"

namespace highwater::native {

/// Returns the small parts of a trace as JSON text.
std::string documentText(const Trace& trace);

/// Restores the small parts of a trace. The number of untouched blocks of each device goes to
/// `untouchedCounts`.
Result<void> readDocument(std::string_view text, Trace& trace, std::vector<std::size_t>& untouchedCounts);

} // namespace highwater::native
