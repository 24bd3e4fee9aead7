#pragma once

#include <string>
#include <string_view>

namespace highwater {

/// Returns the name of a function, file, step or annotation as all output shows it: sanitized, and shortened
/// if it is longer than a kilobyte. A shortened name keeps its beginning and end; between them are its length
/// and a hash that distinguishes it from similar names. A file may repeat such a name a thousand times. The
/// exports of events and allocations write names in full.
std::string nameText(std::string_view name);

} // namespace highwater
