#pragma once

#include <utility>

#include "core/analysis/usage/event_scale.h"

namespace highwater {

/// Returns the part of another rank's axis that corresponds to [begin, end) of one rank's axis; both axes are
/// of the same kind. By time, it is the same clock time if the other rank has some of it; otherwise, and by
/// event, it is the same share of the trace.
std::pair<double, double> matchingRange(
    const EventScale& from, const EventScale& to, double begin, double end);

} // namespace highwater
