#pragma once

#include <utility>

#include "core/analysis/usage/event_scale.h"

namespace highwater {

/// The part of another rank's axis that corresponds to [begin, end) of one rank's axis; both axes are of one
/// kind. By time it is the same clock time if the other rank has some of it; else, and by event, the same
/// share of the trace.
std::pair<double, double> matchingRange(
    const EventScale& from, const EventScale& to, double begin, double end);

} // namespace highwater
