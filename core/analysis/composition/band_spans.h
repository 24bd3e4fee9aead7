#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/composition/band_groups.h"
#include "core/analysis/usage/live_spans.h"

namespace highwater {

/// Visits the spans that `visitLiveSpans` visits, each with its group. An allocation that becomes kept
/// between two of the events is visited in two parts.
void visitBandSpans(const LiveIndex& live, const BandGroups& bands, std::span<const std::int64_t> events,
    const std::function<void(const LiveSpan&, GroupRank)>& visit);

/// Returns the bytes of each group right after each of the events, which ascend: [event][group]. Costs as
/// much as `visitLiveSpans`, plus O(events × groups).
std::vector<std::vector<Bytes>> groupBytesAt(
    const LiveIndex& live, const BandGroups& bands, std::span<const std::int64_t> events);

} // namespace highwater
