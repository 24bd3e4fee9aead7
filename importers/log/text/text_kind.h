#pragma once

#include <string_view>

namespace highwater::logs {

/// Names what a text is in which no line tells of memory: "Python source code"; empty: any text.
std::string_view textKind(std::string_view prefix);

} // namespace highwater::logs
