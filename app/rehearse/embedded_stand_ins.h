#pragma once

#include <string_view>

namespace highwater::rehearse {

/// Returns the bytes of the shared library that is built from `stand_ins/` and embedded into the program.
std::string_view embeddedStandIns();

} // namespace highwater::rehearse
