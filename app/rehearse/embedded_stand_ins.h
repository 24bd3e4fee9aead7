#pragma once

#include <string_view>

namespace highwater::rehearse {

/// The shared library of `stand_ins/`, as bytes.
std::string_view embeddedStandIns();

} // namespace highwater::rehearse
