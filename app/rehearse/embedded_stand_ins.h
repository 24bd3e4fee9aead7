#pragma once

#include <string_view>

namespace highwater::rehearse {

/// Returns the bytes of the shared library of `stand_ins/`.
std::string_view embeddedStandIns();

} // namespace highwater::rehearse
