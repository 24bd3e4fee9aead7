#pragma once

#include <utility>

#include "core/analysis/usage/event_scale.h"

namespace highwater {

/// Where the part [begin, end) of one rank's axis lies on that of another rank; both are of one kind. By time
/// it is the same time of the clock, where the other rank has some of it; else, and by event, the same share
/// of the trace.
std::pair<double, double> matchingRange(
    const EventScale& from, const EventScale& to, double begin, double end);

} // namespace highwater
