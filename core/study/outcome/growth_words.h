#pragma once

#include <optional>
#include <string>

#include "core/base/units.h"

namespace highwater {

/// What a run with this peak grows by in a step: "0.96 GiB", in the unit that peaks of such runs have; "none"
/// where there is no growth.
std::string growthWords(const std::optional<Bytes>& growth, Bytes peak);

} // namespace highwater
