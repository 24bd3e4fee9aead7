#pragma once

#include <cstdint>

#include "core/base/units.h"

namespace highwater {

/// One change of the bytes that a run would do without: the total removed after `event`, valid up to the next
/// change.
struct RemovedBytes
{
    std::int64_t event = -1;
    Bytes bytes = 0;
};

} // namespace highwater
