#pragma once

#include <utility>

#include "core/analysis/usage/event_scale.h"

namespace highwater {

/// Returns the part of the axis `to` of another rank that corresponds to [begin, end) of `from`. Both axes
/// must be of one kind. By time, it is the same clock time, if the other rank was recorded at some of it.
/// Otherwise, and by event, it is the same share of the trace.
std::pair<double, double> matchingRange(
    const EventScale& from, const EventScale& to, double begin, double end);

} // namespace highwater
