#pragma once

#include <vector>

#include "core/analysis/usage/event_scale.h"
#include "core/analysis/usage/usage_curve.h"

namespace highwater {

/// The content of one pixel column: the first event with the largest total among the events that begin in the
/// column, and that total. If no event begins in the column, the event whose state is valid there.
using PixelColumn = CurvePeak;

/// The event of a column in which the run has no state (see `EventScale::covers`); such a column has 0 bytes.
inline constexpr std::int64_t kNoState = -2;

/// Returns the columns of the range [begin, end) of the scale's axis, `width` pixels wide. Zooming out never
/// hides a spike. O(width × log events).
std::vector<PixelColumn> pixelColumns(
    const UsageCurve& curve, const EventScale& scale, double begin, double end, int width);

/// Returns the events whose state the columns show, ascending and unique, without kNoState.
std::vector<std::int64_t> shownEvents(const std::vector<PixelColumn>& columns);

} // namespace highwater
