#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/analysis/device/device_figures.h"
#include "core/analysis/segments/segment_state.h"

namespace highwater {

/// A failed request next to the free memory of a moment, which may be earlier or later than the failure.
struct RequestGhost
{
    std::int64_t event = -1; ///< out-of-memory event
    Bytes bytes = 0; ///< as recorded: PyTorch has rounded it
    std::uint32_t block
        = 0; ///< row of SegmentState::blocks: the largest free block that may serve the request
    bool fits = false; ///< the block is large enough
};

/// Returns the first request that fails at the moment of the state or after it, else the last before it, with
/// the largest free block that may serve it. Nullopt if no request failed, its size is unknown, or no such
/// block is free. `ooms` are in the order of their events. O(segments + blocks of one segment + failures).
std::optional<RequestGhost> requestGhostAt(
    const Trace& trace, DeviceIndex device, std::span<const OomEvent> ooms, const SegmentState& state);

} // namespace highwater
