#pragma once

#include <optional>
#include <string>

#include "core/base/units.h"

namespace highwater {

/// Returns a run's growth per step: "0.96 GiB", in the unit of a peak of this size; "none" if there is no
/// growth.
std::string growthWords(const std::optional<Bytes>& growth, Bytes peak);

} // namespace highwater
