#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/trace/trace.h"

namespace highwater::native {

/// The small parts of a trace as JSON text.
std::string documentText(const Trace& trace);

/// Restores the small parts of a trace; the numbers of untouched blocks go to `untouchedCounts`, one per
/// device.
Result<void> readDocument(std::string_view text, Trace& trace, std::vector<std::size_t>& untouchedCounts);

} // namespace highwater::native
