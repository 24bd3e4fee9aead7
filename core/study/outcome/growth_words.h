#pragma once

#include <optional>
#include <string>

#include "core/base/units.h"

namespace highwater {

/// Returns the growth per step as text, "0.96 GiB" or "12 MiB"; "none" without a value. From 100 MiB on, the
/// unit is GiB if `peak` is at least 1 GiB, so that both can be compared.
std::string growthWords(const std::optional<Bytes>& growth, Bytes peak);

} // namespace highwater
