#pragma once

#include <string>
#include <string_view>

namespace highwater {

/// The name of a function, file, step or annotation as all output shows it: sanitized, and of a name of more
/// than a kilobyte the beginning and the end, with its length and a number between them that tells it from
/// other such names. A file may repeat such a name a thousand times. The exports of events and allocations
/// have names whole.
std::string nameText(std::string_view name);

} // namespace highwater
